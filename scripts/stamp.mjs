// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './root.mjs'

/**
 * Runs work once for each state of its inputs: the stamp is written after success and removed before a new attempt,
 * so that an interrupted one is repeated.
 * @param {string} stamp
 * @param {string} state
 * @param {() => Promise<unknown>} work
 */
export const once = async (stamp, state, work) => {
  if (isDone(stamp, state)) return
  rmSync(stamp, { force: true })
  await work()
  writeFileSync(stamp, state)
}

/**
 * Reports whether the work was done for this state of its inputs.
 * @param {string} stamp
 * @param {string} state
 */
export const isDone = (stamp, state) => existsSync(stamp) && readFileSync(stamp, 'utf8') === state

/**
 * The state of files and folders: a hash over their names and contents and over the platform, because a folder may be
 * shared between machines. Tests beside the code are left out.
 * @param {readonly string[]} paths
 */
export const stateOf = paths => {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\0`)
  for (const file of paths.flatMap(filesIn).sort()) {
    const content = readFileSync(file)
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @returns {string[]}
 */
const filesIn = path => {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter(entry => entry.isDirectory() || (entry.isFile() && !entry.name.endsWith('.test.ts')))
    .flatMap(entry => filesIn(join(path, entry.name)))
}
