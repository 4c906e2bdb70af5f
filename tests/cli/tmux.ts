import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { vi } from 'vitest'
import { typedWorld, type TypedWorld } from './typed-world.ts'

const [COLUMNS, ROWS] = [100, 45]

/** A shell in a real terminal, in a small repository. */
export interface Screen extends AsyncDisposable, TypedWorld {
  /** Types a line, and return. */
  type(line: string): void
  /** Presses keys by the names that tmux has for them, such as `C-c`. */
  press(...keys: readonly string[]): void
  /** What is on the screen, without colours. */
  shown(): string
  /** The same with its colours. */
  coloured(): string
  /** Waits until the screen shows this. */
  sees(what: string | RegExp): Promise<void>
}

export function openScreen(): Screen {
  const world = typedWorld()
  // A socket of its own: no server and no configuration of the user's.
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-S', join(world.workspace.base, 'tmux'), '-f', '/dev/null', ...args], {
      cwd: world.workspace.path,
      env: { ...world.env, SHELL: '/bin/sh', TERM: 'xterm-256color' },
    }).toString()
  tmux('new-session', '-d', '-x', String(COLUMNS), '-y', String(ROWS), 'PS1="ready> " bash --norc --noprofile')
  // Lines that the terminal broke are one again; where it broke them depends on how long the times in them are.
  const shown = () => tmux('capture-pane', '-p', '-J').replaceAll(/ +$/gm, '')
  const screen: Screen = {
    ...world,
    type(line) {
      tmux('send-keys', '-l', line)
      tmux('send-keys', 'Enter')
    },
    press: (...keys) => void tmux('send-keys', ...keys),
    shown,
    // The default background is said or not, as tmux likes.
    coloured: () => tmux('capture-pane', '-p', '-e').replaceAll('\x1b[49m', ''),
    sees: what =>
      vi.waitFor(() => {
        const now = shown()
        if (typeof what === 'string' ? !now.includes(what) : !what.test(now)) throw new Error(`The screen has\n${now}`)
      }, 60_000),
    async [Symbol.asyncDispose]() {
      tmux('kill-server')
      await world[Symbol.asyncDispose]()
    },
  }
  return screen
}
