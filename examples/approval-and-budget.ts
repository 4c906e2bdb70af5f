import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answerer } from 'toolwright'
import { temporaryWorkspace } from 'toolwright/testing'

// Stands for a person at a screen: sees what would change, and says yes to notes alone.
const ann: Answerer = ({ card }) => {
  const files = card.changes.filter(({ kind }) => kind !== 'mkdir')
  console.log(`${card.tool} (${card.risk}): ${card.why}`)
  for (const file of files) console.log(file.diff())
  return { answer: files.every(({ path }) => path.startsWith('notes/')) ? 'yes' : 'no', by: 'ann' }
}

await using workspace = temporaryWorkspace({ 'package.json': '{}\n' })
const config = join(workspace.base, 'config.json')
writeFileSync(config, JSON.stringify({ budgets: [{ tool: 'toolwright/write', task: 'tidy', calls: 2 }] }))
const kit = await workspace.open({ config, approve: ann, task: 'tidy' })

for (const path of ['notes/one.md', 'notes/two.md', 'notes/three.md']) {
  const { outcome } = await kit.run('write', { path, content: 'seen\n', expect: 'absent' })
  console.log(path, outcome.ok ? 'written' : `${outcome.error.code}: ${outcome.error.message}`)
}

const { outcome } = await kit.run('delete', { path: 'package.json' })
if (!outcome.ok) console.log(`${outcome.error.code}: ${outcome.error.message}`)
