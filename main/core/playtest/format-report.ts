import type { TranslatePlaytest } from '../../../shared/i18n/playtest.ts';
import type { PlaytestFinding, PlaytestReport } from '../../../shared/model/playtest/report.ts';
import {
  wordFinding,
  wordPicks,
  wordPlace,
  wordRoute,
  wordSummary,
  wordTest,
} from '../../../shared/model/playtest/word-report.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';

/**
 * Formats one line per finding like compilers, then endings, lines that no route played, and the summary. What the game wrote can
 * neither begin a line nor command a terminal.
 */
export function toPlaytestText(report: PlaytestReport, translate: TranslatePlaytest): string {
  const findings = report.findings.map((finding) => {
    const { place, severity, code, route } = finding;
    const way = wordRoute(translate, route);
    const words = `${wordFinding(translate, finding)} [${code}]${way === '' ? '' : ` ${way}`}`;
    return `${place.path}:${place.line}: ${translate(`severities.${severity}`)}: ${words}`;
  });
  const endings = report.endings.map(({ place, route }) =>
    translate('ending', {
      place: wordPlace(place),
      route:
        route === null
          ? translate('endingNever')
          : route.length === 0
            ? translate('endingNow')
            : wordPicks(translate, route),
    }),
  );
  const never = report.coverage.scenes
    .filter((scene) => scene.never.length > 0)
    .map(({ path, never: runs }) =>
      translate('never', {
        path,
        lines: runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', '),
      }),
    );
  const tests = report.tests.map((test) => wordTest(translate, test));
  const rows = [...findings, ...tests, ...endings, ...never, ...wordSummary(translate, report)];
  return [...rows.map(toVisible), ''].join('\n');
}

export function toPlaytestJson(report: PlaytestReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/**
 * Formats a report as JUnit XML, as servers for continuous integration read it: one test case for each scene, which fails for its
 * errors; warnings are in its output. The status of the run is a property.
 */
export function toPlaytestJunit(report: PlaytestReport, translate: TranslatePlaytest): string {
  const byPath = new Map<string, PlaytestFinding[]>(report.scenes.map(({ place }) => [place.path, []]));
  for (const finding of report.findings) {
    const known = byPath.get(finding.place.path);
    if (known) known.push(finding);
    else byPath.set(finding.place.path, [finding]);
  }
  const toLine = (finding: PlaytestFinding): string => {
    const way = wordRoute(translate, finding.route);
    const words = `${wordFinding(translate, finding)} [${finding.code}] ${way}`.trim();
    return toVisible(`${finding.place.path}:${finding.place.line}: ${words}`);
  };
  let failures = 0;
  const cases = [...byPath].map(([path, findings]) => {
    const errors = findings.filter(({ severity }) => severity === 'error');
    const warnings = findings.filter(({ severity }) => severity === 'warning');
    const parts: string[] = [];
    const [first] = errors;
    if (first) {
      failures += 1;
      const message = toXml(toVisible(wordFinding(translate, first)));
      parts.push(
        `<failure message="${message}" type="${first.code}">${toXml(errors.map(toLine).join('\n'))}</failure>`,
      );
    }
    if (warnings.length > 0) parts.push(`<system-out>${toXml(warnings.map(toLine).join('\n'))}</system-out>`);
    const shown = toXml(toVisible(path));
    return `    <testcase classname="playtest" name="${shown}" file="${shown}">${parts.join('')}</testcase>`;
  });
  for (const test of report.tests) {
    const words = toXml(toVisible(wordTest(translate, test)));
    const failure = test.failure ? `<failure message="${words}" type="${test.failure.reason}">${words}</failure>` : '';
    if (test.failure) failures += 1;
    cases.push(`    <testcase classname="story-tests" name="${toXml(toVisible(test.name))}">${failure}</testcase>`);
  }
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" time="${(report.ms / 1000).toFixed(3)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="webgal-agent test" ${counts}>`,
    `  <testsuite name="playtest" ${counts}>`,
    `    <properties><property name="status" value="${report.status}"/></properties>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** Control characters other than tab and line ends, and two that are no characters. */
const NOT_IN_XML = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu;

/** Escapes for text and attributes, without characters that XML does not allow. */
function toXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_IN_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
