import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { at } from '../root.mjs'

/** Where the pages say that everything happens. */
const HOME = '/home/ann'

/**
 * Runs the commands (`$ …`) of a page's console blocks, in order and in one fresh directory, and gives the page with what
 * they really print. Where only times and names made by chance differ, the page stays as it is.
 */
export function withConsole(page: string): string {
  if (!page.includes('```console\n')) return page
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-docs-')))
  try {
    const world = makeWorld(base)
    return page.replaceAll(/(```console\n)([\s\S]*?)(```)/g, (whole, open: string, body: string, close: string) => {
      const fresh = stepsIn(body).map(step => `${step}\n${world.run(step)}`)
      const text = fresh.join('')
      return settled(text) === settled(body) ? whole : open + text + close
    })
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** The commands as they are shown; one that ends in a backslash goes on in the next line. */
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

function makeWorld(base: string): { run(step: string): string } {
  const home = join(base, 'ann')
  const bin = join(base, 'bin')
  const cwd = join(home, 'shop')
  mkdirSync(cwd, { recursive: true })
  mkdirSync(bin)
  const cli = join(import.meta.dirname, 'cli.ts')
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
    run(step) {
      const { stdout, stderr, error } = spawnSync('sh', ['-c', `exec 2>&1\n${step.slice(2)}`], {
        cwd,
        env,
        encoding: 'utf8',
        input: '',
      })
      if (error) throw error
      return `${stdout}${stderr}`.replaceAll(home, HOME)
    },
  }
}

/** A text without what differs from run to run. */
const settled = (text: string): string =>
  text
    .replaceAll(/\b0m[0-9a-z]{16}\b/g, 'ID')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replaceAll(/\b[0-9a-f]{24}\b/g, 'KEY')
    .replaceAll(/\b[0-9a-f]{8}\b/g, 'RULE')
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+Z)?/g, 'TIME')
    .replaceAll(/Time: [\d.]+ms/g, 'Time: 1ms')
    .replaceAll(/"durationMs":[\d.]+/g, '"durationMs":1')
