import classes from './seaside.module.css';

/** A decorative drawing: an evening by the sea with a line of dialogue over it. */
export function Seaside() {
  return (
    <svg className={classes.root} viewBox="0 0 480 250" aria-hidden focusable="false">
      <defs>
        <linearGradient id="seaside-sky" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className={classes.skyHigh} />
          <stop offset="1" className={classes.skyLow} />
        </linearGradient>
        <linearGradient id="seaside-sea" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className={classes.seaFar} />
          <stop offset="1" className={classes.seaNear} />
        </linearGradient>
        <clipPath id="seaside-frame">
          <rect width="480" height="250" rx="16" />
        </clipPath>
      </defs>
      <g clipPath="url(#seaside-frame)">
        <rect width="480" height="150" fill="url(#seaside-sky)" />
        <circle className={classes.glow} cx="330" cy="132" r="84" />
        <circle className={classes.sun} cx="330" cy="132" r="40" />
        <path
          className={classes.cloud}
          d="M60 52h74a9 9 0 0 0 0-18h-12a20 20 0 0 0-38-6 14 14 0 0 0-22 8 8 8 0 0 0-2 16z"
        />
        <path
          className={classes.cloud}
          d="M214 78h46a6 6 0 0 0 0-12h-8a13 13 0 0 0-25-3 8 8 0 0 0-14 6 5 5 0 0 0 1 9z"
        />
        <rect y="140" width="480" height="110" fill="url(#seaside-sea)" />
        <g className={classes.gleam}>
          <rect x="296" y="147" width="68" height="3" rx="1.500" />
          <rect x="306" y="156" width="52" height="3" rx="1.500" />
          <rect x="288" y="166" width="38" height="3" rx="1.500" />
          <rect x="338" y="168" width="34" height="3" rx="1.500" />
        </g>
        <path className={classes.hill} d="M0 142c34-26 70-34 104-20 26 11 40 15 66 20z" />
        <g className={classes.boat}>
          <path d="M214 146h34l-6 8h-22z" />
          <path d="M229 118v25h-15z" />
          <path d="M233 124v19h11z" />
        </g>
        <rect className={classes.box} x="24" y="180" width="432" height="54" rx="10" />
        <rect className={classes.name} x="40" y="170" width="62" height="20" rx="10" />
        <rect className={classes.nameInk} x="54" y="178" width="34" height="4" rx="2" />
        <rect className={classes.ink} x="42" y="200" width="232" height="5" rx="2.500" />
        <rect className={classes.ink} x="42" y="214" width="128" height="5" rx="2.500" />
        <rect className={classes.caret} x="178" y="209" width="2.500" height="14" rx="1.200" />
      </g>
    </svg>
  );
}
