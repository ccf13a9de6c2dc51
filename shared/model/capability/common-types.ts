import { z } from 'zod';
import { ProjectPath } from '../../paths/project-path.ts';

/** The types that parameters and results of capabilities share. */

/** A line of a scene, from 1. */
const ScenePlace = z.strictObject({ path: ProjectPath, line: z.int().min(1).optional() });

/** A file by its path or by the name that scripts use for it. */
const FileRef = z.union([
  z.strictObject({ path: ProjectPath }),
  z.strictObject({
    name: z.string().min(1).max(500),
    kind: z.enum(['background', 'figure', 'bgm', 'vocal', 'video', 'scene']),
  }),
]);

const Asset = z.strictObject({
  path: ProjectPath,
  kind: z.enum(['background', 'figure', 'bgm', 'vocal', 'video', 'scene', 'template', 'other']),
  bytes: z.int().min(0).optional(),
  title: z.string().max(500).optional(),
});

const TimeRange = z.strictObject({ start: z.iso.datetime().optional(), end: z.iso.datetime().optional() });

const Pagination = z.strictObject({
  page: z.int().min(1).default(1),
  pageSize: z.int().min(1).max(100).default(20),
});

/** Where a part of a longer list lies in it. */
export const PagePosition = z.strictObject({
  total: z.int().min(0),
  page: z.int().min(1),
  pageSize: z.int().min(1).max(100),
  hasNext: z.boolean(),
  hasPrevious: z.boolean(),
});

const PaginatedResult = PagePosition.partial({ hasNext: true, hasPrevious: true }).extend({
  items: z.array(z.unknown()),
});

export const COMMON_TYPES = { ScenePlace, FileRef, Asset, TimeRange, Pagination, PaginatedResult } as const;

/** Returns one page of a list and its position. */
export function toPage<T>(
  all: readonly T[],
  { page, pageSize }: { page: number; pageSize: number },
): { items: T[]; position: z.infer<typeof PagePosition> } {
  const start = (page - 1) * pageSize;
  const items = all.slice(start, start + pageSize);
  const total = all.length;
  return { items, position: { total, page, pageSize, hasNext: start + pageSize < total, hasPrevious: page > 1 } };
}
