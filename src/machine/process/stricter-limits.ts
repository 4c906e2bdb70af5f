import type { CommandLimits } from './types.ts'

/** Returns the lower of each two limits. */
export function stricter(one: CommandLimits, other: Partial<CommandLimits>): CommandLimits {
  const least = (name: keyof CommandLimits) => Math.min(one[name], other[name] ?? Number.POSITIVE_INFINITY)
  return {
    timeoutMs: least('timeoutMs'),
    cpuSeconds: least('cpuSeconds'),
    memoryBytes: least('memoryBytes'),
    processes: least('processes'),
    fileBytes: least('fileBytes'),
    outputBytes: least('outputBytes'),
    tmpBytes: least('tmpBytes'),
    writtenBytes: least('writtenBytes'),
  }
}
