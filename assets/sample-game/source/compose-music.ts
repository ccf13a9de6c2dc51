/**
 * Makes the sample game's music and rain: `node assets/sample-game/source/compose-music.ts`. Both are played round and round by the
 * engine, so both are rendered on a circle: what rings on past the end rings into the beginning.
 *
 * WAV, for every browser plays it and it needs no encoder.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRandom } from './art/paint.ts';

const RATE = 22_050;
const GAME = join(import.meta.dirname, '..', 'game');

const BEAT = 60 / 69;
const BAR = BEAT * 4;

/** Bars of chords as MIDI notes, low to high: D, A, b, f#, G, D, e, A; then a turn that leads back. */
const CHORDS: readonly (readonly number[])[] = [
  [38, 45, 50, 54, 57],
  [37, 45, 49, 52, 57],
  [35, 42, 50, 54, 57],
  [30, 42, 49, 52, 57],
  [31, 43, 47, 50, 54],
  [30, 42, 45, 50, 54],
  [28, 40, 47, 50, 55],
  [33, 40, 45, 50, 52],
  [31, 43, 50, 54, 59],
  [33, 45, 49, 52, 57],
  [30, 42, 49, 54, 57],
  [33, 45, 50, 52, 55],
];

/** The tune: bar, beat, note, beats it lasts. Sparse, so that words can be read over it. */
const TUNE: readonly (readonly [bar: number, beat: number, note: number, beats: number])[] = [
  [0, 1, 78, 1.5],
  [0, 2.5, 76, 0.5],
  [0, 3, 74, 1],
  [1, 0, 76, 2],
  [1, 2.5, 73, 0.5],
  [1, 3, 69, 1],
  [2, 0.5, 74, 1.5],
  [2, 2, 78, 1],
  [2, 3, 81, 1],
  [3, 0, 80, 0.5],
  [3, 0.5, 81, 1.5],
  [3, 2.5, 76, 1.5],
  [4, 0.5, 79, 1],
  [4, 1.5, 78, 0.5],
  [4, 2, 74, 2],
  [5, 1, 78, 1],
  [5, 2, 76, 0.5],
  [5, 2.5, 74, 1.5],
  [6, 0, 71, 1],
  [6, 1, 74, 1],
  [6, 2, 76, 1.5],
  [6, 3.5, 78, 0.5],
  [7, 0, 76, 3],
  [8, 0, 83, 1.5],
  [8, 1.5, 81, 0.5],
  [8, 2, 78, 2],
  [9, 0.5, 81, 1],
  [9, 1.5, 76, 1],
  [9, 2.5, 73, 1.5],
  [10, 0, 78, 1.5],
  [10, 2, 74, 1],
  [10, 3, 73, 1],
  [11, 0, 74, 1],
  [11, 1, 71, 1],
  [11, 2, 69, 2],
];

type Track = Float64Array;

/**
 * A hammer with felt on it: a few partials a little out of tune with each other, the high ones weak and gone soon, a
 * soft start and the thud of the key.
 */
function strike(track: Track, note: { at: number; midi: number; beats: number; loudness: number }): void {
  const frequency = 440 * 2 ** ((note.midi - 69) / 12);
  const start = Math.round(note.at * RATE);
  const seconds = Math.min(7, 2.2 + note.beats * BEAT + (72 - note.midi) * 0.04);
  const release = note.beats * BEAT + 0.9;
  const thud = createRandom(note.midi * 131 + start);
  const partials = Array.from({ length: 7 }, (_, index) => {
    const number = index + 1;
    return {
      step: (2 * Math.PI * frequency * number * Math.sqrt(1 + 0.00032 * number * number)) / RATE,
      strength: (number === 1 ? 1 : 0.62 / number ** 1.55) * Math.exp(-frequency * number * 0.00016),
      decay: 0.75 + number * 0.62 + frequency * 0.0011,
      phase: thud.between(0, 6.28),
    };
  }).filter((partial) => partial.step < Math.PI * 0.9);
  for (let index = 0; index < seconds * RATE; index += 1) {
    const time = index / RATE;
    const soft = 1 - Math.exp(-time * 240);
    const held = time < release ? 1 : Math.exp(-(time - release) * 3.4);
    let value = 0;
    for (const partial of partials) {
      value += partial.strength * Math.exp(-time * partial.decay) * Math.sin(partial.step * index + partial.phase);
    }
    const knock = time < 0.03 ? (thud.next() - 0.5) * 0.09 * Math.exp(-time * 190) : 0;
    const at = (start + index) % track.length;
    track[at] = (track[at] ?? 0) + (value * soft * held + knock) * note.loudness;
  }
}

/** A small wooden room: four combs and two all-passes, run round twice so that the end has reached the beginning. */
function reverberate(dry: Track, amount: number): Track {
  const wet = new Float64Array(dry.length);
  for (const [delay, feedback] of [
    [1117, 0.79],
    [1361, 0.77],
    [1553, 0.76],
    [1801, 0.74],
  ] as const) {
    const line = new Float64Array(delay);
    let dull = 0;
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < dry.length; index += 1) {
        const out = line[index % delay] ?? 0;
        dull += (out - dull) * 0.42;
        line[index % delay] = (dry[index] ?? 0) + dull * feedback;
        if (round === 1) wet[index] = (wet[index] ?? 0) + out * 0.25;
      }
      // The two rounds meet only if the line stands where it began.
      line.set([...line.subarray(dry.length % delay), ...line.subarray(0, dry.length % delay)]);
    }
  }
  return dry.map((value, index) => value + (wet[index] ?? 0) * amount);
}

function compose(): Track {
  const track = new Float64Array(Math.round(CHORDS.length * BAR * RATE));
  const hand = createRandom(2026);
  const play = (at: number, midi: number, beats: number, loudness: number) =>
    strike(track, { at: at + hand.between(0, 0.014), midi, beats, loudness: loudness * hand.between(0.88, 1.06) });
  for (const [bar, chord] of CHORDS.entries()) {
    const start = bar * BAR;
    const [low = 0, ...rest] = chord;
    play(start, low, 4, 0.5);
    // Broken upwards and half back, an eighth at a time.
    const pattern = [0, 1, 2, 3, 2, 1, 3];
    for (const [index, place] of pattern.entries()) {
      play(start + (index + 1) * (BEAT / 2), rest[place % rest.length] ?? low, 1.2, 0.2 + (index % 2) * 0.03);
    }
  }
  for (const [bar, beat, note, beats] of TUNE) play(bar * BAR + beat * BEAT, note, beats, 0.44);
  return reverberate(track, 0.34);
}

/** Rain on a roof: soft noise without its low and its sharp end, and drops here and there. */
function makeRain(seconds: number): Track {
  const length = Math.round(seconds * RATE);
  const random = createRandom(8);
  const noise = Float64Array.from({ length }, () => random.between(-1, 1));
  const track = new Float64Array(length);
  let low = 0;
  let lower = 0;
  let high = 0;
  for (let round = 0; round < 2; round += 1) {
    for (let index = 0; index < length; index += 1) {
      const value = noise[index] ?? 0;
      low += (value - low) * 0.34;
      lower += (low - lower) * 0.05;
      high += (low - lower - high) * 0.62;
      track[index] = high * 0.42;
    }
  }
  for (let drop = 0; drop < seconds * 26; drop += 1) {
    const at = Math.floor(random.between(0, length));
    const pitch = random.between(900, 3200);
    const loudness = random.next() ** 3 * 0.34 + 0.02;
    for (let index = 0; index < RATE * 0.05; index += 1) {
      const time = index / RATE;
      const place = (at + index) % length;
      track[place] =
        (track[place] ?? 0) + Math.sin(2 * Math.PI * pitch * (1 + time * 5) * time) * Math.exp(-time * 130) * loudness;
    }
  }
  return track;
}

/** 16 bit, one channel. `peak` is how loud the loudest moment becomes, 0 to 1. */
function toWav(track: Track, peak: number): Buffer {
  const loudest = track.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const wav = Buffer.alloc(44 + track.length * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + track.length * 2, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(track.length * 2, 40);
  for (const [index, value] of track.entries()) {
    wav.writeInt16LE(Math.round(Math.max(-1, Math.min(1, (value / loudest) * peak)) * 32_767), 44 + index * 2);
  }
  return wav;
}

for (const [name, wav] of [
  ['bgm/before-the-rain-stops.wav', toWav(compose(), 0.82)],
  ['vocal/rain.wav', toWav(makeRain(6), 0.6)],
] as const) {
  await writeFile(join(GAME, name), wav);
  console.log(`${name} ${(wav.length / 1024).toFixed(0)} KB`);
}
