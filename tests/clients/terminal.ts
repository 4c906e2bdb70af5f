import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const [COLUMNS, ROWS] = [100, 45]
const PATIENCE_MS = 60_000

/** A shell in a real terminal. */
export interface Terminal extends Disposable {
  /** Types a line, and return. */
  type(line: string): Promise<void>
  /** Presses one key by the name that tmux has for it, such as `Down`. */
  press(key: string): Promise<void>
  /** Waits until the screen shows this and is not one that was seen before, and gives the screen. */
  sees(what: RegExp | string, isNew?: (screen: string) => boolean): Promise<string>
}

export function openTerminal(base: string, cwd: string, env: Readonly<Record<string, string>>): Terminal {
  // A socket of its own: no server and no configuration of the user's.
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-S', join(base, 'tmux'), '-f', '/dev/null', ...args], {
      cwd,
      env: { ...env, SHELL: '/bin/sh', TERM: 'xterm-256color', LANG: 'C.UTF-8' },
    }).toString()
  tmux('new-session', '-d', '-x', String(COLUMNS), '-y', String(ROWS), "PS1='$ ' bash --norc --noprofile")
  // Without these Claude Code advises to set them.
  for (const option of ['mouse', 'focus-events']) tmux('set-option', '-g', option, 'on')
  const press = async (...keys: readonly string[]) => {
    // Clients take keys that come at once for something pasted.
    await pause(300)
    tmux('send-keys', ...keys)
  }
  return {
    async type(line) {
      await press('-l', line)
      await press('Enter')
    },
    press,
    async sees(what, isNew = () => true) {
      const shows = (screen: string) => (typeof what === 'string' ? screen.includes(what) : what.test(screen))
      for (const end = Date.now() + PATIENCE_MS; ; await pause(200)) {
        const shown = tmux('capture-pane', '-p')
        // Once more, for what is still being drawn.
        if (shows(shown) && isNew(shown)) return pause(500).then(() => tmux('capture-pane', '-p'))
        if (Date.now() > end) throw new Error(`The screen does not show ${what}, but\n${shown}`)
      }
    },
    [Symbol.dispose]: () => void tmux('kill-server'),
  }
}
