import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writePrivateFile } from '../../machine/state/private-file.ts'

const OPENERS: Partial<Readonly<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/**
 * Opens a one-time link in the user's browser. Other users see the arguments of a program, so it gets the address of a
 * private file that leads to the link. Returns why it did not start.
 */
export async function openBrowser(link: string, directory: string): Promise<string | undefined> {
  const file = join(directory, 'open.html')
  writePrivateFile(file, `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${link}">\n`)
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const child = spawn(program, [...args, pathToFileURL(file).href], { detached: true, stdio: 'ignore' })
  child.once('error', error => resolve(error.message))
  child.once('spawn', () => resolve(undefined))
  child.unref()
  return promise
}
