// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, vi } from 'vitest'
import { openToolkit } from '../../src/index.ts'
import { needs } from '../needs.ts'
import { openScreen } from './tmux.ts'

const SLOW = { timeout: 180_000 }
const it = needs('bubblewrap', 'git', 'tmux', 'less')

/** The question as the last thing on the screen: an earlier one may still be there. */
const ASKED = /Approve\? \(y\/n\/always\): *\n*$/

/** Processes with this command line. */
const running = (text: string): readonly string[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return line === text ? [line] : []
      } catch {
        return []
      }
    })

describe('in a real terminal', () => {
  it('colours the answer and what was looked for', SLOW, async () => {
    await using screen = openScreen()
    await screen.sees('ready>')
    screen.type('toolwright grep round src/round.ts')
    await screen.sees('Math.round(value)')
    expect(screen.coloured()).toContain('Math.\x1b[1m\x1b[31mround\x1b[0m')
    screen.type('clear; toolwright rename round rounded --dry-run --allow fs:write --wait 45')
    await screen.sees('+export const rounded')
    expect(screen.coloured()).toContain('\x1b[31m-export const round ')
    expect(screen.coloured()).toContain('\x1b[32m+export const rounded ')
  })

  it('pages what is longer than the screen, and q ends it', SLOW, async () => {
    await using screen = openScreen()
    screen.workspace.write('long.txt', Array.from({ length: 200 }, (_, at) => `line ${at + 1}\n`).join(''))
    await screen.sees('ready>')
    screen.type('clear; toolwright read long.txt')
    await screen.sees(/^ 20 {2}line 20$/m)
    expect(screen.shown()).not.toContain('line 100')
    screen.press('G')
    await screen.sees('line 200')
    screen.press('q')
    await screen.sees(/ready> *\n*$/)
    const kit = await openToolkit({ root: screen.workspace.path, env: screen.env, permissions: ['fs:write'] })
    for (let at = 1; at <= 60; at++) await kit.run('write', { path: `note-${at}.txt`, content: 'x\n' })
    await kit.close()
    screen.type('clear; toolwright undo --list')
    await screen.sees('note-60.txt')
    expect(screen.shown()).not.toContain('note-1.txt')
    screen.press('G')
    await screen.sees('note-1.txt')
    screen.press('q')
    await screen.sees(/ready> *\n*$/)
  })

  it('asks before a change, and says how to take it back', SLOW, async () => {
    await using screen = openScreen()
    await screen.sees('ready>')
    screen.type('toolwright edit README.md --old Shop --new Store')
    await screen.sees(ASKED)
    expect(screen.shown()).toMatch(/-# Shop\n *\+# Store/)
    expect(screen.workspace.read('README.md')).toContain('# Shop')
    screen.type('n')
    await screen.sees('✗')
    expect(screen.workspace.read('README.md')).toContain('# Shop')
    screen.type('clear; toolwright edit README.md --old Shop --new Store')
    await screen.sees(ASKED)
    screen.press('C-c')
    await screen.sees(/^Approve\? \(y\/n\/always\): *\n✗ /m)
    expect(screen.workspace.read('README.md')).toContain('# Shop')
    screen.type('clear; toolwright edit README.md --old Shop --new Store')
    await screen.sees(ASKED)
    screen.type('y')
    await screen.sees('Undo: toolwright undo')
    expect(screen.workspace.read('README.md')).toContain('# Store')
    screen.type('clear; toolwright undo')
    await screen.sees('✓ undo')
    expect(screen.workspace.read('README.md')).toContain('# Shop')
  })

  it('shows what a command prints while it runs, once, and it cannot steer the terminal', SLOW, async () => {
    await using screen = openScreen()
    await screen.sees('ready>')
    screen.type(String.raw`clear; toolwright run --allow exec 'printf "be\33[2Jgun"; sleep 5; echo " over" >&2'`)
    await screen.sees(/^be\\x1b\[2Jgun$/m)
    expect(screen.shown()).not.toContain('✓')
    await screen.sees(
      /^be\\x1b\[2Jgun over\n✓ run \(exit code 0\)\n {2}Time: \d+ms\n {2}Warning: .* its bytes are in ref:\w+\n+ready>/m,
    )
  })

  it(
    'ends a command with Ctrl-C: what it printed stays, nothing of it lands or goes on, the log says so',
    SLOW,
    async () => {
      await using screen = openScreen()
      const [line, time] = ['echo begun; touch made.txt; sleep', `4${process.pid % 10_000}`]
      await screen.sees('ready>')
      screen.type(`clear; toolwright run --allow exec '${line} ${time}'; echo "status $?"`)
      await screen.sees(/^begun$/m)
      await vi.waitFor(() => expect(running(`sleep ${time}`)).not.toEqual([]), 30_000)
      screen.press('C-c')
      await vi.waitFor(() => expect(running(`sleep ${time}`)).toEqual([]), 30_000)
      await screen.sees('status 130')
      expect(screen.shown()).toMatch(/^begun\n\^C\n✗ Stopped by ada with Ctrl-C$/m)
      expect(Object.keys(screen.workspace.snapshot())).not.toContain('made.txt')
      screen.type('clear; toolwright log --failed')
      await screen.sees(/cancelled: Stopped by\s+ada with Ctrl-C/)
      expect(screen.shown()).not.toContain('interrupted')
    },
  )
})
