import { blur, ellipse, group, linear, type Picture, radial, shape, times } from './paint.ts';

export type Mood = 'calm' | 'smile' | 'shy' | 'sad';

const LINE = { stroke: '#4b2c37', 'stroke-width': 4, 'stroke-linejoin': 'round', 'stroke-linecap': 'round' } as const;
const STROKE = { ...LINE, fill: 'none' } as const;

const FACE =
  'M380 268C376 352 388 400 422 432C452 460 480 474 500 474C520 474 548 460 578 432C612 400 624 352 620 268C600 170 400 170 380 268Z';

function backHair(): string {
  return [
    shape(
      'M500 92C380 90 318 176 316 292C314 372 300 432 316 492C330 516 352 500 366 512C384 526 404 506 424 516H576C596 506 616 526 634 512C648 500 670 516 684 492C700 432 686 372 684 292C682 176 620 90 500 92Z',
      { fill: 'url(#hairBack)', ...LINE },
    ),
    shape('M350 480C360 430 356 380 356 330M650 480C640 430 644 380 644 330', {
      ...STROKE,
      'stroke-width': 3,
      opacity: 0.5,
    }),
  ].join('');
}

/** The raincoat's hood, folded down behind the neck. */
function hood(): string {
  return [
    shape('M318 560C330 478 420 452 500 452C580 452 670 478 682 560C640 612 560 628 500 628C440 628 360 612 318 560Z', {
      fill: 'url(#coatDark)',
      ...LINE,
    }),
    shape('M372 552C400 506 452 490 500 490C548 490 600 506 628 552C590 586 548 594 500 594C452 594 410 586 372 552Z', {
      fill: '#9a6420',
    }),
  ].join('');
}

function neck(): string {
  return [
    shape('M458 420H542V530C542 560 520 574 500 574C480 574 458 560 458 530Z', { fill: 'url(#skin)', ...LINE }),
    shape('M458 462C480 488 522 488 542 460V482C520 508 480 508 458 486Z', { fill: '#e0967f', opacity: 0.6 }),
    shape('M414 574L470 512L500 566L530 512L586 574L560 740H440Z', { fill: '#f7f4ee', ...LINE }),
    shape('M440 660C470 690 530 690 560 660V740H440Z', { fill: '#c9b6a8', opacity: 0.6 }),
    shape('M470 512L500 566L446 606L424 566ZM530 512L500 566L554 606L576 566Z', { fill: '#ffffff', ...LINE }),
    shape('M500 566L466 588L478 636L500 600L522 636L534 588Z', { fill: '#3d5a94', ...LINE }),
    ellipse(500, 584, 15, 13, { fill: '#5576b8', ...LINE }),
  ].join('');
}

function coat(): string {
  const body =
    'M400 548C372 572 330 590 300 622C276 700 262 900 236 1420H764C738 900 724 700 700 622C670 590 628 572 600 548L534 690L500 720L466 690Z';
  return [
    shape(body, { fill: 'url(#coat)', ...LINE }),
    group(
      [
        shape('M262 900C254 1060 246 1240 236 1420H352C346 1240 342 1060 340 900Z', { fill: '#c98522', opacity: 0.35 }),
        shape('M738 860C746 1040 754 1240 764 1420H690C682 1240 674 1040 668 860Z', { fill: '#a8691c', opacity: 0.35 }),
        shape('M470 700C462 900 440 1180 430 1420H470C478 1180 486 900 490 716Z', { fill: '#b8771f', opacity: 0.28 }),
        shape('M600 1060C606 1180 616 1300 622 1420H648C640 1280 628 1160 616 1060Z', {
          fill: '#b8771f',
          opacity: 0.3,
        }),
        shape('M372 1090C366 1200 356 1310 350 1420H376C382 1310 386 1200 388 1090Z', {
          fill: '#b8771f',
          opacity: 0.3,
        }),
      ],
      { 'clip-path': 'url(#coatClip)' },
    ),
    shape('M500 720V1420', { ...STROKE, 'stroke-width': 3.5 }),
    shape('M512 722V1420', { stroke: '#ffe9a8', 'stroke-width': 4, opacity: 0.7 }),
    times(4, (index) =>
      group([
        ellipse(534, 1120 + index * 96 - 330 * (index === 0 ? 1 : 0), 13, 13, {
          fill: '#fff1c9',
          ...LINE,
          'stroke-width': 3,
        }),
      ]),
    ),
    shape('M400 548C388 610 420 676 466 690L500 720L534 690C580 676 612 610 600 548', { ...STROKE }),
    shape('M400 548C384 600 404 664 452 694L466 690C424 668 404 612 410 556Z', {
      fill: '#ffdf86',
      ...LINE,
      'stroke-width': 3,
    }),
    shape('M600 548C616 600 596 664 548 694L534 690C576 668 596 612 590 556Z', {
      fill: '#ffdf86',
      ...LINE,
      'stroke-width': 3,
    }),
    shape('M292 1130H392C388 1180 384 1230 380 1262C350 1276 318 1276 286 1262Z', { fill: '#f2b93c', ...LINE }),
    shape('M292 1130H392L390 1166H290Z', { fill: '#ffd873', ...LINE, 'stroke-width': 3 }),
    shape('M608 1130H708L714 1262C682 1276 650 1276 620 1262Z', { fill: '#e5a831', ...LINE }),
    shape('M608 1130H708L710 1166H610Z', { fill: '#f6c859', ...LINE, 'stroke-width': 3 }),
  ].join('');
}

/** A wrapped book, held in both arms. */
function book(): string {
  return group(
    [
      shape('M412 760L592 744L606 980L426 998Z', { fill: '#e9dcc0', ...LINE }),
      shape('M404 752L582 736L596 974L418 992Z', { fill: 'url(#cover)', ...LINE }),
      shape('M404 752L430 750L444 990L418 992Z', { fill: '#173c40' }),
      shape('M452 770L564 760L573 930L462 942Z', { fill: 'none', stroke: '#d9b56a', 'stroke-width': 4 }),
      shape('M512 800c-26 30 -26 56 0 64c26 -8 26 -34 0 -64Z', { fill: '#d9b56a', transform: 'rotate(-5 512 830)' }),
      shape('M482 896l62 -5m-50 20l40 -3', { stroke: '#d9b56a', 'stroke-width': 5, 'stroke-linecap': 'round' }),
    ],
    { filter: 'url(#contact)' },
  );
}

function arms(): string {
  const hand = (mirror: boolean) =>
    group(
      [
        shape(
          'M398 916C412 888 444 876 470 884C486 886 490 900 478 906C496 906 500 922 486 928C498 932 498 946 484 950C492 956 488 968 474 968C448 980 414 974 398 956Z',
          {
            fill: 'url(#skin)',
            ...LINE,
            'stroke-width': 3.5,
          },
        ),
        shape('M478 906C464 908 452 908 444 906M486 928C468 932 454 932 444 930M484 950C468 954 456 954 446 951', {
          ...STROKE,
          'stroke-width': 2.6,
        }),
      ],
      mirror ? { transform: 'translate(1006 -34) scale(-1 1)' } : {},
    );
  return [
    hand(false),
    hand(true),
    shape(
      'M300 622C262 650 244 740 240 830C236 900 262 952 306 962C344 970 386 966 410 962C418 940 418 916 408 892C378 880 352 864 344 836C350 780 356 720 352 672Z',
      {
        fill: 'url(#sleeve)',
        ...LINE,
      },
    ),
    shape('M380 884C396 908 396 940 384 966L412 962C422 938 420 912 408 892Z', {
      fill: '#ffe39a',
      ...LINE,
      'stroke-width': 3,
    }),
    shape('M268 760C262 830 276 900 330 930M300 700C290 780 300 850 344 880', {
      fill: 'none',
      stroke: '#b8771f',
      'stroke-width': 7,
      opacity: 0.4,
      'stroke-linecap': 'round',
    }),
    shape(
      'M700 622C738 650 756 740 760 820C764 880 738 918 694 926C656 934 620 932 598 928C588 906 590 882 600 858C628 848 650 836 656 812C650 760 644 716 648 672Z',
      {
        fill: 'url(#sleeveRight)',
        ...LINE,
      },
    ),
    shape('M626 850C610 874 610 904 622 930L596 928C586 904 588 878 600 858Z', {
      fill: '#f9d27a',
      ...LINE,
      'stroke-width': 3,
    }),
    shape('M732 750C740 820 722 880 670 900', {
      fill: 'none',
      stroke: '#96601a',
      'stroke-width': 7,
      opacity: 0.4,
      'stroke-linecap': 'round',
    }),
  ].join('');
}

function face(): string {
  return [
    ellipse(382, 352, 22, 34, { fill: '#f7cdb6', ...LINE }),
    ellipse(618, 352, 22, 34, { fill: '#f7cdb6', ...LINE }),
    shape(FACE, {
      fill: 'url(#skin)',
      ...LINE,
    }),
    // The shadow of the fringe.
    shape('M386 262C420 346 450 300 470 316C500 330 520 298 548 316C580 330 600 300 616 262C600 170 400 170 386 262Z', {
      fill: '#e8a68c',
      opacity: 0.45,
    }),
    shape('M497 396C500 402 503 403 507 401', { ...STROKE, 'stroke-width': 3 }),
  ].join('');
}

/** Drawn a little larger than life. */
function openEye(x: number, side: 1 | -1, options: { drop: number; look: number }): string {
  const y = 352 + options.drop;
  return group(
    [
      shape(
        `M${x - 36} ${y - 4}C${x - 30} ${y - 34} ${x + 30} ${y - 34} ${x + 36} ${y - 4}C${x + 32} ${y + 30} ${x - 32} ${y + 30} ${x - 36} ${y - 4}Z`,
        { fill: '#fffdf9' },
      ),
      shape(
        `M${x - 36} ${y - 4}C${x - 30} ${y - 34} ${x + 30} ${y - 34} ${x + 36} ${y - 4}C${x + 20} ${y - 16} ${x - 20} ${y - 16} ${x - 36} ${y - 4}Z`,
        { fill: '#c9b3c4', opacity: 0.55 },
      ),
      ellipse(x + options.look, y + 2, 23, 29, { fill: 'url(#iris)', stroke: '#3a1f2c', 'stroke-width': 3.5 }),
      ellipse(x + options.look, y + 2, 10, 14, { fill: '#2a1420' }),
      ellipse(x + options.look, y + 17, 13, 9, { fill: '#ffb98a', opacity: 0.55 }),
      ellipse(x - 8 + options.look, y - 11, 8.5, 9.5, { fill: '#ffffff' }),
      ellipse(x + 9 + options.look, y + 13, 4, 4, { fill: '#ffffff', opacity: 0.9 }),
      // The lash, thick and winged towards the temple.
      shape(
        side < 0
          ? `M${x - 46} ${y + 8}C${x - 44} ${y - 30} ${x + 14} ${y - 48} ${x + 38} ${y - 6}C${x + 18} ${y - 30} ${x - 20} ${y - 30} ${x - 34} ${y - 4}Z`
          : `M${x + 46} ${y + 8}C${x + 44} ${y - 30} ${x - 14} ${y - 48} ${x - 38} ${y - 6}C${x - 18} ${y - 30} ${x + 20} ${y - 30} ${x + 34} ${y - 4}Z`,
        { fill: '#3a1f2c' },
      ),
      shape(`M${x - 13} ${y + 31}C${x - 5} ${y + 33} ${x + 5} ${y + 33} ${x + 13} ${y + 31}`, {
        ...STROKE,
        'stroke-width': 2.4,
        opacity: 0.45,
      }),
    ],
    { transform: `translate(${x} ${y}) scale(1.14 1.2) translate(${-x} ${-y})` },
  );
}

function smilingEye(x: number): string {
  return group([
    shape(`M${x - 40} ${366}C${x - 26} ${326} ${x + 26} ${326} ${x + 40} ${366}`, {
      ...STROKE,
      stroke: '#3a1f2c',
      'stroke-width': 9,
    }),
  ]);
}

function brows(mood: Mood): string {
  const d = {
    calm: 'M408 300C424 286 452 284 474 292M592 300C576 286 548 284 526 292',
    smile: 'M408 290C424 274 452 272 474 282M592 290C576 274 548 272 526 282',
    shy: 'M412 300C430 286 452 278 472 272M588 300C570 286 548 278 528 272',
    sad: 'M406 312C424 298 450 284 474 278M594 312C576 298 550 284 526 278',
  }[mood];
  return shape(d, { ...STROKE, stroke: '#54323c', 'stroke-width': 6.5 });
}

function mouth(mood: Mood): string {
  switch (mood) {
    case 'calm':
      return shape('M482 430C492 437 508 437 518 430', { ...STROKE, 'stroke-width': 4.5 });
    case 'smile':
      return [
        shape('M466 420C484 428 516 428 534 420C530 450 514 458 500 458C486 458 470 450 466 420Z', {
          fill: '#a8433f',
          ...LINE,
        }),
        shape('M480 450C490 440 510 440 520 450C512 458 488 458 480 450Z', { fill: '#f08a80' }),
        shape('M472 424C488 430 512 430 528 424L525 432C510 437 490 437 475 432Z', { fill: '#fff' }),
      ].join('');
    case 'shy':
      return shape('M488 428C492 424 508 424 512 428C514 442 508 450 500 450C492 450 486 442 488 428Z', {
        fill: '#b5504a',
        ...LINE,
      });
    default:
      return shape('M484 438C492 428 508 428 516 438', { ...STROKE, 'stroke-width': 4.5 });
  }
}

function blush(mood: Mood): string {
  const strength = { calm: 0.34, smile: 0.55, shy: 0.95, sad: 0.2 }[mood];
  const lines =
    mood === 'shy'
      ? shape('M404 400l-8 14m22 -14l-8 14m22 -14l-8 14M588 400l8 14m-22 -14l8 14m-22 -14l8 14', {
          stroke: '#e2605c',
          'stroke-width': 3.5,
          'stroke-linecap': 'round',
        })
      : '';
  const cheeks = [418, 582].map((x) => ellipse(x, 406, 44, 24, { fill: 'url(#blush)', opacity: strength }));
  return group([...cheeks, lines], { 'clip-path': 'url(#faceClip)' });
}

function features(mood: Mood): string {
  const eyes =
    mood === 'smile'
      ? smilingEye(442) + smilingEye(558)
      : openEye(442, -1, { drop: mood === 'sad' ? 4 : 0, look: mood === 'shy' ? 6 : 0 }) +
        openEye(558, 1, { drop: mood === 'sad' ? 4 : 0, look: mood === 'shy' ? 6 : 0 });
  const tear =
    mood === 'sad'
      ? shape('M596 388C604 402 604 414 596 416C588 414 588 402 596 388Z', {
          fill: '#bfe0ff',
          stroke: '#7aa6d8',
          'stroke-width': 2,
        })
      : '';
  return [blush(mood), eyes, mouth(mood), tear].join('');
}

function frontHair(): string {
  return [
    shape(
      'M500 84C372 82 322 168 322 282C322 350 330 420 352 476C372 452 380 400 382 340C396 330 404 306 408 276C414 306 424 326 438 338C446 312 456 286 470 258C472 290 478 314 490 330C506 308 522 286 532 254C540 286 552 312 570 334C580 316 588 296 592 272C598 304 606 328 618 340C620 400 628 452 648 476C670 420 678 350 678 282C678 168 628 82 500 84Z',
      { fill: 'url(#hair)', ...LINE },
    ),
    // Light on the crown.
    shape(
      'M372 224C392 176 440 152 500 150C560 152 608 176 628 224C606 200 588 196 574 214C556 190 536 190 520 206C504 188 480 188 464 208C446 190 424 194 410 214C396 202 384 206 372 224Z',
      {
        fill: '#a5777d',
        opacity: 0.55,
      },
    ),
    shape(
      'M470 258C472 220 480 180 500 130M532 254C536 216 528 176 512 130M408 276C404 230 420 180 452 144M592 272C596 230 580 180 548 144',
      { ...STROKE, 'stroke-width': 2.6, opacity: 0.45 },
    ),
    shape('M352 476C344 420 346 360 350 300M648 476C656 420 654 360 650 300', {
      ...STROKE,
      'stroke-width': 2.6,
      opacity: 0.45,
    }),
    // Light along the sides, as of wet hair.
    shape('M340 250C334 320 338 390 350 450M660 250C666 320 662 390 650 450', {
      stroke: '#8d616b',
      'stroke-width': 9,
      fill: 'none',
      opacity: 0.5,
      'stroke-linecap': 'round',
    }),
    shape('M330 300C328 350 330 390 336 430M372 236C366 290 366 350 368 392M628 236C634 290 634 350 632 392', {
      stroke: '#7a515c',
      'stroke-width': 5,
      fill: 'none',
      opacity: 0.5,
      'stroke-linecap': 'round',
    }),
    // A stray strand.
    shape('M500 88C506 64 530 52 554 60C534 66 522 78 518 92', { fill: '#5a3743', ...LINE, 'stroke-width': 3 }),
    // The pin: a small hydrangea.
    group(
      [
        times(4, (index) =>
          ellipse(0, -13, 11, 13, {
            fill: index % 2 ? '#9db4f4' : '#b9a6f0',
            ...LINE,
            'stroke-width': 2.4,
            transform: `rotate(${index * 90 + 45})`,
          }),
        ),
        ellipse(0, 0, 6, 6, { fill: '#fff3c4', ...LINE, 'stroke-width': 2 }),
      ],
      { transform: 'translate(632 250) scale(1.15)' },
    ),
  ].join('');
}

function drops(): string {
  const at = [
    [330, 700],
    [300, 1010],
    [420, 1180],
    [660, 720],
    [690, 1000],
    [590, 1250],
    [372, 640],
    [640, 640],
    [280, 820],
    [730, 800],
    [454, 1310],
    [560, 1060],
  ];
  return at
    .map(([x = 0, y = 0]) =>
      group([
        shape(
          `M${x} ${y - 12}C${x + 9} ${y + 2} ${x + 8} ${y + 14} ${x} ${y + 15}C${x - 8} ${y + 14} ${x - 9} ${y + 2} ${x} ${y - 12}Z`,
          { fill: '#ffffff', opacity: 0.6 },
        ),
        ellipse(x - 2, y + 6, 2.4, 3.4, { fill: '#ffffff', opacity: 0.95 }),
      ]),
    )
    .join('');
}

/** Xiaoman in a raincoat, to the knees. Only the face changes with the mood, so that the engine can cross-fade. */
export function drawGirl(mood: Mood): Picture {
  return {
    width: 1000,
    height: 1400,
    defs: [
      linear('skin', [
        [0, '#ffeadd'],
        [0.7, '#fbd9c5'],
        [1, '#f3bfa6'],
      ]),
      linear('hair', [
        [0, '#6a4450'],
        [0.45, '#4d2f3b'],
        [1, '#3a2330'],
      ]),
      linear('hairBack', [
        [0, '#452a36'],
        [1, '#2e1b28'],
      ]),
      linear(
        'coat',
        [
          [0, '#ffd25c'],
          [0.5, '#f7bf3f'],
          [1, '#e8a52c'],
        ],
        -12,
      ),
      linear('coatDark', [
        [0, '#e8aa34'],
        [1, '#c98722'],
      ]),
      linear(
        'sleeve',
        [
          [0, '#ffd668'],
          [1, '#efb037'],
        ],
        -40,
      ),
      linear(
        'sleeveRight',
        [
          [0, '#f9c84d'],
          [1, '#dc9728'],
        ],
        30,
      ),
      linear(
        'cover',
        [
          [0, '#2f6f73'],
          [1, '#1f5257'],
        ],
        -20,
      ),
      linear('iris', [
        [0, '#4a2236'],
        [0.5, '#8a4a5e'],
        [1, '#e08a6a'],
      ]),
      radial('blush', [
        [0, '#f2726a', 0.85],
        [1, '#f2726a', 0],
      ]),
      blur('soft', 6),
      `<filter id="contact" x="-20%" y="-20%" width="140%" height="140%"><feDropShadow dx="0" dy="10" stdDeviation="8" flood-color="#6b3f12" flood-opacity=".35"/></filter>`,
      `<clipPath id="faceClip"><path d="${FACE}"/></clipPath>`,
      `<clipPath id="coatClip"><path d="M400 548C372 572 330 590 300 622C276 700 262 900 236 1420H764C738 900 724 700 700 622C670 590 628 572 600 548L534 690L500 720L466 690Z"/></clipPath>`,
      linear('evening', [
        [0, '#8f9be0', 0.2],
        [0.5, '#8f9be0', 0],
        [1, '#3a2f6a', 0.3],
      ]),
    ].join(''),
    body: group(
      [
        hood(),
        backHair(),
        neck(),
        coat(),
        book(),
        arms(),
        face(),
        features(mood),
        frontHair(),
        // Over the fringe, as the style has it: a mood must not hide behind hair.
        group([brows(mood)], { opacity: 0.8 }),
        drops(),
      ],
      { transform: 'translate(500 44) scale(1.16) translate(-500 -56)' },
    ),
  };
}
