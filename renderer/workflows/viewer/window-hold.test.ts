import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createWindowHold, type WindowHold } from './window-hold.ts';

let hold: WindowHold;
let released: number;

beforeEach(() => {
  vi.useFakeTimers();
  released = 0;
  hold = createWindowHold(() => {
    released += 1;
    hold.setHeld(false);
  });
});
afterEach(() => vi.useRealTimers());

it('keeps the window until the turn ends, whatever else changes meanwhile', () => {
  hold.setWorking(true);
  hold.setHeld(true);
  hold.setWorking(true);
  vi.advanceTimersByTime(900_000);
  expect(released).toBe(0);
  hold.setWorking(false);
  expect(released).toBe(1);
});

it('keeps the window from another program while the user types, until the next turn or for five minutes', () => {
  hold.setHeld(true);
  hold.setWorking(false);
  vi.advanceTimersByTime(299_000);
  expect(released).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(released).toBe(1);
  hold.setHeld(true);
  hold.setWorking(true);
  expect(released).toBe(2);
});

it('ends a later hold not by the time of an earlier one', () => {
  hold.setHeld(true);
  vi.advanceTimersByTime(200_000);
  hold.setWorking(true);
  hold.setHeld(true);
  vi.advanceTimersByTime(200_000);
  expect(released).toBe(1);
});
