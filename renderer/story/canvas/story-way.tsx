import { type PlacedWay, ROW } from '../layout/placed-map.ts';
import { toHeads, toPath } from '../layout/way-shape.ts';
import classes from './story-ways.module.css';

/** An edge of the map with its label: choices and conditions. */
export function StoryWay({ way: { points, label, returns, words } }: { way: PlacedWay }) {
  const path = toPath(points);
  return (
    <>
      {words !== '' && <title>{words}</title>}
      <path d={path} className={classes.line} />
      <path d={toHeads(points, returns)} className={classes.head} />
      <path d={path} className={classes.reach} />
      {label && (
        <g className={classes.words}>
          <rect
            className={classes.ground}
            x={label.x - label.width / 2}
            y={label.y - label.height / 2}
            width={label.width}
            height={label.height}
            rx={4}
          />
          {label.rows.map(({ text, isQuiet }, index) => (
            <text
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their position
              key={index}
              className={classes.text}
              data-quiet={isQuiet || undefined}
              x={label.x}
              y={label.y - label.height / 2 + 2 + ROW.height * (index + 0.75)}
            >
              {text}
            </text>
          ))}
        </g>
      )}
    </>
  );
}
