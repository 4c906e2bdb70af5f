import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_FILE } from '../../../machine/state/config-file.ts'
import { typedLine } from '../ask.ts'
import { say, type Terminal } from '../terminal.ts'

const SCHEMA = 'node_modules/toolwright/dist/config.schema.json'

const PARAGRAPH = `
## Toolwright

Use the tools of the MCP server \`toolwright\` for files and commands: a read knows the lines and the hash for a later edit, \`edit\` shows what it breaks, \`callers\` and \`references\` answer from the language server, and every change can be undone with \`undo\`. Use your own tools for what they do not cover.
`

/** Offers a configuration for the project, and a paragraph for its instructions to agents. */
export async function offerProjectFiles(root: string, terminal: Terminal): Promise<void> {
  const isWanted = async (question: string): Promise<boolean> =>
    /^y(es)?$/i.test((await typedLine(terminal, `${question} (y/n): `)).trim())
  const config = join(root, PROJECT_FILE)
  if (!existsSync(config) && (await isWanted(`Write ${PROJECT_FILE}, where the project's rules go?`))) {
    const schema = existsSync(join(root, SCHEMA)) ? { $schema: `./${SCHEMA}` } : {}
    writeFileSync(config, `${JSON.stringify({ ...schema, policy: { rules: [] } }, null, 2)}\n`, { flag: 'wx' })
    say(terminal, `Wrote ${PROJECT_FILE}.`)
    if (await isWanted('Trust it as it is now? Any change to it needs trust again.')) {
      const { trust } = await import('../trust.ts')
      await trust(['--root', root], terminal)
    }
  }
  const file = ['AGENTS.md', 'CLAUDE.md'].find(name => existsSync(join(root, name)))
  const text = file === undefined ? '' : readFileSync(join(root, file), 'utf8')
  if (file === undefined || text.includes('## Toolwright')) return
  say(terminal, PARAGRAPH.trim())
  if (!(await isWanted(`Add this to ${file}?`))) return
  writeFileSync(join(root, file), text.replace(/\n?$/, '\n') + PARAGRAPH)
  say(terminal, `Wrote ${file}.`)
}
