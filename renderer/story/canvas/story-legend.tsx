import { useTranslation } from 'react-i18next';
import { MARKS } from '../layout/story-map.ts';
import { toHeads, toPath } from '../layout/way-shape.ts';
import classes from './story-legend.module.css';
import { StoryMarks } from './story-marks.tsx';
import ways from './story-ways.module.css';

const LINE = [
  { x: 2, y: 7 },
  { x: 46, y: 7 },
];
const KINDS = [
  { key: 'way', kind: 'way', returns: false },
  { key: 'returns', kind: 'way', returns: true },
  { key: 'call', kind: 'call', returns: false },
  { key: 'missing', kind: 'missing', returns: false },
] as const;

/** Legend of marks and lines, and navigation help. */
export function StoryLegend() {
  const { t } = useTranslation('story');
  return (
    <dl className={classes.root}>
      {MARKS.map((mark) => (
        <div key={mark}>
          <dt>
            <StoryMarks marks={[{ mark, text: t(`mark.${mark}`) }]} />
          </dt>
          <dd>{t(`legend.mark.${mark}`)}</dd>
        </div>
      ))}
      {KINDS.map(({ key, kind, returns }) => (
        <div key={key}>
          <dt>
            <svg width={50} height={14} aria-hidden>
              <g data-kind={kind}>
                <path d={toPath(LINE)} className={ways.line} />
                <path d={toHeads(LINE, returns)} className={ways.head} />
              </g>
            </svg>
          </dt>
          <dd>{t(`legend.way.${key}`)}</dd>
        </div>
      ))}
      <p className={classes.keys}>{t('legend.keys')}</p>
    </dl>
  );
}
