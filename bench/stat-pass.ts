import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Looks once at every file and directory, and does nothing else. */
const PROGRAM = `
  const { lstatSync, readFileSync } = require('node:fs')
  for (const path of readFileSync(process.argv[2], 'utf8').split('\\n')) lstatSync(path)`

export interface StatPass {
  /** Arguments of a node that runs in the tree. */
  readonly args: readonly string[]
  readonly paths: number
}

/** Writes a program that looks once at each file and directory of a tree: the least that knowing what changed can cost. */
export function statPass(tree: string, scratch: string): StatPass {
  const [program, list] = [join(scratch, 'stat-pass.cjs'), join(scratch, 'stat-pass.txt')]
  const inside = readdirSync(tree, { recursive: true, encoding: 'utf8' }).filter(path => !path.startsWith('.git/'))
  writeFileSync(program, PROGRAM)
  writeFileSync(list, ['.', ...inside].join('\n'))
  return { args: [program, list], paths: inside.length + 1 }
}
