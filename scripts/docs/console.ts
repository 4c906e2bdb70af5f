import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { at } from '../root.mjs'

/** The directory that the pages show. */
const HOME = '/home/ann'

/** The command line from its sources. */
const SOURCES = join(import.meta.dirname, 'cli.ts')

/**
 * Runs the commands (`$ …`) of a page's console blocks, in order and in one fresh directory, and gives the page with what
 * they really print. Where only times and names made by chance differ, the page stays as it is.
 */
export async function withConsole(page: string, cli = SOURCES): Promise<string> {
  // Every second part is the content of a block.
  const parts = page.split(/(?<=```console\n)([\s\S]*?)(?=```)/)
  if (parts.length === 1) return page
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-docs-')))
  try {
    const world = makeWorld(base, cli)
    for (const [place, body] of parts.entries()) {
      if (place % 2 === 0) continue
      let fresh = ''
      for (const step of stepsIn(body)) fresh += `${step}\n${await world.run(step)}`
      if (settled(fresh) !== settled(body)) parts[place] = fresh
    }
    return parts.join('')
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** The shown commands; a backslash at the end continues on the next line. */
function stepsIn(body: string): readonly string[] {
  const steps: string[] = []
  let open = false
  for (const line of body.split('\n')) {
    if (open) steps.push(`${steps.pop() ?? ''}\n${line}`)
    else if (line.startsWith('$ ')) steps.push(line)
    open = line.endsWith('\\') && (open || line.startsWith('$ '))
  }
  return steps
}

function makeWorld(base: string, cli: string): { run(step: string): Promise<string> } {
  const home = join(base, 'ann')
  const bin = join(base, 'bin')
  const cwd = join(home, 'shop')
  mkdirSync(cwd, { recursive: true })
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'toolwright'),
    `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${cli}' "$@"\n`,
  )
  chmodSync(join(bin, 'toolwright'), 0o755)
  const env = {
    HOME: home,
    USER: 'ann',
    LANG: 'C.UTF-8',
    NODE_COMPILE_CACHE: at('.cache', 'docs'),
    PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
  }
  return {
    async run(step) {
      const shell = spawn('sh', ['-c', `exec 2>&1\n${step.slice(2)}`], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
      shell.stdin.end()
      const [printed] = await Promise.all([text(shell.stdout), once(shell, 'close')])
      return printed.replaceAll(home, HOME)
    },
  }
}

/** Removes parts of a text that differ between runs. */
const settled = (shown: string): string =>
  shown
    .replaceAll(/\b0m[0-9a-z]{16}\b/g, 'ID')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replaceAll(/\b[0-9a-f]{24}\b/g, 'KEY')
    .replaceAll(/\b[0-9a-f]{8}\b/g, 'RULE')
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+Z)?/g, 'TIME')
    .replaceAll(/Time: [\d.]+ms/g, 'Time: 1ms')
    .replaceAll(/"durationMs":[\d.]+/g, '"durationMs":1')
