interface LogoProps {
  /** Width and height in pixels. */
  size: number;
}

/** The logo: a dialogue line and a speaker. Decorative, because the name is shown next to it. */
export function Logo({ size }: LogoProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
      <rect width="32" height="32" rx="9" fill="var(--accent-fill)" />
      <path
        d="M7 9.500a2.500 2.500 0 0 1 2.500-2.500h13A2.500 2.500 0 0 1 25 9.500v8.500a2.500 2.500 0 0 1-2.500 2.500h-6.300L11 25v-4.500H9.500A2.500 2.500 0 0 1 7 18z"
        fill="#fffdf9"
      />
      <path d="M11 11.800h10M11 15.700h6" stroke="#5352cc" strokeWidth="1.900" strokeLinecap="round" />
      <circle cx="20.700" cy="15.700" r="1.700" fill="#c2517e" />
    </svg>
  );
}
