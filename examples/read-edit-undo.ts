import { temporaryWorkspace } from 'toolwright/testing'

// A scratch directory, gone at the end; `openToolkit({ root })` opens a real one the same way.
await using workspace = temporaryWorkspace({ 'src/price.ts': 'export const price = 10\nexport const tax = 2\n' })
const kit = await workspace.open({ permissions: ['fs:write:src/**'] })
const show = (label: string) => console.log(label, JSON.stringify(workspace.read('src/price.ts')))

// The read gives the hash of what was read, and the session remembers it.
console.log(await kit.call('read', { path: 'src/price.ts', from: 1, to: 1 }))

// A dry run gives the diff and a plan; with the plan, exactly that is done, or nothing.
const edit = { path: 'src/price.ts', edits: [{ old: 'price = 10', new: 'price = 12' }] }
const dry = await kit.run('edit', edit, { dryRun: true })
console.log(dry.outcome.meta.diff)
const done = await kit.run('edit', edit, { plan: dry.outcome.meta.plan ?? '' })
show('edited:')

// Another program writes the file: a change based on the old text is refused.
workspace.write('src/price.ts', 'export const price = 99\n')
const stale = await kit.run('write', { path: 'src/price.ts', content: 'export const price = 0\n' })
if (!stale.outcome.ok) console.log(`${stale.outcome.error.code}: ${stale.outcome.error.message}`)

// So is an undo that would lose their work.
const lost = await kit.run('undo', { id: done.outcome.meta.undo })
if (!lost.outcome.ok) console.log(`${lost.outcome.error.code}: ${lost.outcome.error.message}`)

// Several changes land together, or, where the function throws, not at all.
await kit.transaction(async session => {
  await session.call('read', { path: 'src/price.ts' })
  await session.call('edit', { path: 'src/price.ts', edits: [{ old: '99', new: '12' }] })
  await session.call('write', { path: 'src/tax.ts', content: 'export const tax = 2\n', expect: 'absent' })
})
console.log('last commit:', kit.commits()[0]?.paths)
await kit.call('undo', {})
show('undone:')
