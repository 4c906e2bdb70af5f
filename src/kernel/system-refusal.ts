import type { ToolError } from './error.ts'

const REFUSALS: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS'])

/** Reports whether the operating system refused, and not policy: documents call both "permission denied". */
export const isSystemRefusal = ({ code, details }: Pick<ToolError, 'code' | 'details'>): boolean =>
  code === 'io' && REFUSALS.has(details?.['errno'])
