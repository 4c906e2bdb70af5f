import { setTimeout as sleep } from 'node:timers/promises'
import { spawn, type IPty } from '@lydell/node-pty'
import { describe, expect, it } from 'vitest'

const ASK = `
import { askOn } from ${JSON.stringify(new URL('../../src/surfaces/cli/ask.ts', import.meta.url).href)}
const { env, stdin, stdout, stderr } = process
const ask = askOn({ env, cwd: '.', stdin, stdout, stderr, version: 'test' })
console.log('BUSY')
await new Promise(resolve => setTimeout(resolve, 500))
const card = { tool: 't', input: {}, claims: [], changes: [], risk: 'dangerous', why: 'w' }
console.log('ANSWER ' + (await ask({ id: '1', card, closed: new AbortController().signal })).answer)
process.exit()
`

/** A program at a real terminal that is busy for a while and then asks. */
function atTerminal(): { readonly pty: IPty; readonly shows: (text: string) => Promise<void> } {
  const pty = spawn(process.execPath, ['--input-type=module', '-e', ASK], { cols: 100, rows: 30 })
  let shown = ''
  pty.onData(text => void (shown += text))
  return {
    pty,
    async shows(text) {
      for (let left = 400; !shown.includes(text); left--) {
        if (left === 0) throw new Error(`'${text}' did not come; there is: ${shown}`)
        await sleep(50)
      }
    },
  }
}

describe('a question at a real terminal', () => {
  it.each([
    ['n', 'no'],
    ['y', 'yes'],
  ])(
    'is not answered by what was typed before it was shown, but by %j afterwards',
    async (typed, answer) => {
      const { pty, shows } = atTerminal()
      try {
        await shows('BUSY')
        // A whole line, and one without an end.
        pty.write('y\ry')
        await shows('Approve?')
        await sleep(300)
        pty.write(`${typed}\r`)
        await expect(shows(`ANSWER ${answer}`)).resolves.toBeUndefined()
      } finally {
        pty.kill()
      }
    },
    60_000,
  )
})
