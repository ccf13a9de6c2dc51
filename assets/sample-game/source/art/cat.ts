import { createRandom, ellipse, group, linear, type Picture, rect, shape, times } from './paint.ts';

export type CatMood = 'sleepy' | 'awake' | 'meow';

const LINE = { stroke: '#5a2f1c', 'stroke-width': 5, 'stroke-linejoin': 'round', 'stroke-linecap': 'round' } as const;
const STROKE = { ...LINE, fill: 'none' } as const;

function books(): string {
  const random = createRandom(5);
  const colors = ['#8c4038', '#2f5f6b', '#d8b06a', '#5b4a72', '#7a8a5a', '#b8683f', '#34476e', '#a5525a'];
  return times(8, (index) => {
    const height = 62;
    const y = 920 + index * height;
    const width = 470 + random.between(0, 110) + index * 8;
    const x = 500 - width / 2 + random.between(-26, 26);
    const color = colors[index] ?? '#888';
    return group([
      rect(Math.round(x), y, Math.round(width), height - 3, { rx: 9, fill: color, ...LINE, 'stroke-width': 4 }),
      rect(Math.round(x + width - 96), y + 8, 90, height - 19, { fill: '#f3e7cc' }),
      times(4, (line) => rect(Math.round(x + width - 96), y + 16 + line * 10, 88, 2, { fill: '#cbb68c' })),
      rect(Math.round(x + 34), y + 2, 12, height - 7, { fill: '#f1d58e', opacity: 0.75 }),
      rect(Math.round(x + 58), y + 2, 5, height - 7, { fill: '#f1d58e', opacity: 0.75 }),
      rect(Math.round(x + 4), y + height - 18, Math.round(width - 104), 12, { fill: '#000', opacity: 0.16 }),
    ]);
  });
}

function body(): string {
  return [
    shape('M706 884C800 892 836 830 806 770C786 732 748 744 756 776C764 802 780 812 770 838C758 866 716 852 690 832Z', {
      fill: '#e58b3c',
      ...LINE,
    }),
    shape('M792 776l-34 12m44 26l-32 4m14 42l-26 -20', {
      stroke: '#ad5a20',
      'stroke-width': 13,
      'stroke-linecap': 'round',
    }),
    shape('M312 926C286 800 340 690 440 640H580C690 680 742 800 716 926C700 950 330 950 312 926Z', {
      fill: 'url(#fur)',
      ...LINE,
    }),
    shape('M420 740C420 820 430 900 440 936H580C590 900 600 820 596 740C560 720 460 720 420 740Z', { fill: '#fdebd2' }),
    shape(
      'M664 726c26 16 40 40 44 64m-60 -10c30 14 52 40 58 66m-70 2c28 10 50 30 62 48M356 752c-22 18 -32 38 -36 62m56 -18c-28 16 -46 40 -52 64',
      { stroke: '#b8601f', 'stroke-width': 15, fill: 'none', 'stroke-linecap': 'round' },
    ),
    shape('M396 938C392 900 420 884 452 886C484 888 502 908 498 938Z', { fill: '#fff3e2', ...LINE }),
    shape('M522 938C518 908 536 888 568 886C600 884 628 900 624 938Z', { fill: '#fff3e2', ...LINE }),
    shape('M430 936v-20m30 20v-20m96 20v-20m30 20v-20', { ...STROKE, 'stroke-width': 4 }),
  ].join('');
}

/** The collar with the little board that says who runs the shop. */
function sign(): string {
  return [
    shape('M404 706C450 750 566 750 612 706', {
      stroke: '#a3343a',
      'stroke-width': 20,
      fill: 'none',
      'stroke-linecap': 'round',
    }),
    shape('M470 744L450 786M546 744L566 786', { stroke: '#7a4a24', 'stroke-width': 5 }),
    rect(424, 782, 168, 84, { rx: 10, fill: '#c98d4e', ...LINE }),
    rect(434, 791, 148, 66, { rx: 6, fill: '#e0ab68' }),
    `<text x="508" y="843" font-family="Noto Serif CJK SC" font-weight="700" font-size="56" text-anchor="middle" fill="#54301a">掌柜</text>`,
  ].join('');
}

function eyes(mood: CatMood): string {
  if (mood === 'sleepy') {
    return shape('M402 560C418 582 450 582 466 560M550 560C566 582 598 582 614 560', { ...STROKE, 'stroke-width': 8 });
  }
  if (mood === 'meow') {
    return shape('M400 574C414 544 452 544 468 574M548 574C564 544 602 544 616 574', { ...STROKE, 'stroke-width': 8 });
  }
  return [434, 582]
    .map((x) =>
      group([
        ellipse(x, 560, 38, 40, { fill: 'url(#eye)', ...LINE }),
        ellipse(x, 562, 15, 31, { fill: '#2b1a14' }),
        ellipse(x - 11, 543, 10, 12, { fill: '#fff' }),
        ellipse(x + 12, 578, 5, 6, { fill: '#fff', opacity: 0.8 }),
      ]),
    )
    .join('');
}

function head(mood: CatMood): string {
  const mouth =
    mood === 'meow'
      ? shape(
          'M474 628C482 634 500 634 508 624C516 634 534 634 542 628C546 676 530 694 508 694C486 694 470 676 474 628Z',
          { fill: '#96403c', ...LINE },
        ) + shape('M488 672C496 660 520 660 528 672C524 686 492 686 488 672Z', { fill: '#ef8d86' })
      : shape('M470 626C480 646 502 644 508 626C514 644 536 646 546 626', { ...STROKE });
  return group(
    [
      shape(
        'M330 520C318 440 326 388 346 366C386 384 424 416 444 446ZM686 520C698 440 690 388 670 366C630 384 592 416 572 446Z',
        { fill: '#e58b3c', ...LINE },
      ),
      shape(
        'M350 470C346 430 350 408 358 396C384 412 404 434 416 456ZM666 470C670 430 666 408 658 396C632 412 612 434 600 456Z',
        { fill: '#f6b9a2' },
      ),
      shape(
        'M508 424C396 420 316 488 312 576C308 670 400 726 508 726C616 726 708 670 704 576C700 488 620 420 508 424Z',
        { fill: 'url(#fur)', ...LINE },
      ),
      shape(
        'M508 596C450 596 402 620 398 662C420 706 462 724 508 724C554 724 596 706 618 662C614 620 566 596 508 596Z',
        { fill: '#fff3e2' },
      ),
      shape('M508 430V486M470 434L478 478M546 434L538 478', {
        stroke: '#b8601f',
        'stroke-width': 15,
        'stroke-linecap': 'round',
      }),
      shape('M318 590l44 -8m-40 40l42 -20M698 590l-44 -8m40 40l-42 -20', {
        stroke: '#b8601f',
        'stroke-width': 13,
        'stroke-linecap': 'round',
      }),
      ellipse(388, 634, 34, 20, { fill: '#f08a6a', opacity: 0.4 }),
      ellipse(628, 634, 34, 20, { fill: '#f08a6a', opacity: 0.4 }),
      eyes(mood),
      shape('M490 604C498 598 518 598 526 604C524 618 514 626 508 626C502 626 492 618 490 604Z', {
        fill: '#d9675c',
        ...LINE,
        'stroke-width': 4,
      }),
      mouth,
      shape('M386 640L282 622M388 656L286 668M630 640L734 622M628 656L730 668', {
        ...STROKE,
        'stroke-width': 3.5,
        opacity: 0.75,
      }),
    ],
    {
      transform: mood === 'sleepy' ? 'translate(0 34) rotate(5 508 600)' : mood === 'meow' ? 'rotate(-4 508 640)' : '',
    },
  );
}

/** The shop's cat on a heap of books. */
export function drawCat(mood: CatMood): Picture {
  return {
    width: 1000,
    height: 1400,
    defs: [
      linear('fur', [
        [0, '#f5a856'],
        [0.6, '#e98f41'],
        [1, '#d4772c'],
      ]),
      linear('eye', [
        [0, '#7fae4a'],
        [1, '#d9e27a'],
      ]),
    ].join(''),
    body: [
      books(),
      body(),
      mood === 'sleepy' ? '' : sign(),
      head(mood),
      mood === 'sleepy' ? group([sign()], { transform: 'translate(0 18)' }) : '',
    ].join(''),
  };
}
