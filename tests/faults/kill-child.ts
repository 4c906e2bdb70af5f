import { accessSync } from 'node:fs'
import { commit } from '../../src/machine/workspace/commit/commit.ts'
import { recover } from '../../src/machine/workspace/commit/recover.ts'
import { scenarios } from './scenario.ts'
import { worldAt } from './world.ts'

/** One commit or one recovery between two marks that a trace shows; killed somewhere in between. */
const [, , action, number = '', path = ''] = process.argv
const world = worldAt(path)
const scenario = scenarios[Number(number)]
if (scenario === undefined) throw new Error(`No scenario ${number}`)
const operations = action === 'commit' ? scenario.operations(world.identity) : []
const { root, store } = world.open()
store.active()
mark('begin')
if (action === 'commit') commit(root, store, operations, { id: 'commit', now: 1000 })
else recover(root, store)
mark('end')

function mark(name: string): void {
  try {
    accessSync(`/toolwright-${name}`)
  } catch {
    // Nothing has that name: the question is the mark.
  }
}
