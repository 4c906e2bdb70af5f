import { readFileSync } from 'node:fs'

const PAGE = 4096

/** Returns the memory of a process and its descendants, or 0 if the system does not report it. */
export function residentBytes(pid: number): number {
  const below = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  const ownBytes = Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * PAGE
  return below.reduce((sum, each) => sum + residentBytes(each), ownBytes)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
