import { isTool } from '../kernel/is-tool.ts'

/** What a call of this tool may take, in milliseconds: of all names that stand for it the most exact counts, and where none does the tool's own. */
export function timeoutOf(
  configured: Readonly<Record<string, number>>,
  tool: string,
  own: number | undefined,
): number | undefined {
  const named = Object.keys(configured)
    .filter(name => isTool(name, tool))
    .toSorted((one, other) => exactness(other) - exactness(one))[0]
  return named === undefined ? own : configured[named]
}

const exactness = (name: string): number => (name === '*' ? 0 : !name.includes('/') ? 1 : name.endsWith('/*') ? 2 : 3)
