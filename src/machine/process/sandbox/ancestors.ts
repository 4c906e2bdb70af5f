import { readFileSync, readlinkSync } from 'node:fs'
import { statOf } from './tree-facts.ts'

const MOST = 32
const LONGEST = 200

/**
 * Returns the command lines of a sandboxed process's ancestors, outermost first. The namespace's first process is ours.
 * Numbers are those in its own /proc.
 */
export function ancestorsOf(init: number, inner: number): string[] {
  const proc = `/proc/${init}/root/proc`
  const chain: string[] = []
  for (let pid = statOf(`${proc}/${inner}/stat`)?.parent ?? 0; pid > 1 && chain.length < MOST;) {
    chain.unshift(commandLine(`${proc}/${pid}/cmdline`))
    pid = statOf(`${proc}/${pid}/stat`)?.parent ?? 0
  }
  return chain.filter(line => line !== '')
}

/** Working directory of a sandboxed process, by its inside path, and the names of its variables. */
export interface Surroundings {
  readonly directory: string | undefined
  readonly variables: readonly string[]
}

export function surroundingsOf(init: number, inner: number): Surroundings {
  const process = `/proc/${init}/root/proc/${inner}`
  try {
    const variables = readFileSync(`${process}/environ`, 'utf8').split('\0')
    return { directory: readlinkSync(`${process}/cwd`), variables: variables.map(text => text.split('=')[0] ?? '') }
  } catch {
    return { directory: undefined, variables: [] }
  }
}

/** Returns the words of a process's parent program. */
export const parentOf = (init: number, inner: number): readonly string[] => {
  const proc = `/proc/${init}/root/proc`
  return wordsOf(`${proc}/${statOf(`${proc}/${inner}/stat`)?.parent ?? 0}/cmdline`)
}

function commandLine(file: string): string {
  const words = wordsOf(file).join(' ')
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words
}

function wordsOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\0').slice(0, -1)
  } catch {
    return []
  }
}
