import { openToolkit } from 'toolwright'

const kit = await openToolkit({ root: '.', permissions: ['fs:write:notes/**'] })

const { outcome } = await kit.run('write', { path: 'notes/todo.md', content: 'ship it\n', expect: 'absent' })
if (!outcome.ok) throw outcome.error
console.log('changed:', outcome.meta.changed)

const other = await kit.run('edit', { path: 'package.json', edits: [{ old: '"test"', new: '"skip"' }] })
if (!other.outcome.ok) console.log(`${other.outcome.error.code}: ${other.outcome.error.hint}`)

await kit.call('undo', { id: outcome.meta.undo })
await kit.close()
