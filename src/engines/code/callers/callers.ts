import type { CodeParts } from '../code-parts.ts'
import type { Callers, CodeQuestion } from '../types.ts'
import type { CallNode } from './call-node.ts'
import { chooseTarget } from './choose-target.ts'
import { overriddenMethods } from './classes/overridden-methods.ts'
import { declaredTarget } from './declared-target.ts'
import { findCallers } from './find-callers.ts'
import type { Named } from './named.ts'
import { putQuestion, type PutQuestion } from './put-question.ts'
import { isUnseenBy } from './unseen-by.ts'
import { requiredOf } from './required/required-of.ts'

/** Whoever calls a function, as its language server says. */
export const callers = (parts: CodeParts, question: CodeQuestion & { readonly depth: number }): Promise<Callers> =>
  putQuestion(parts, question, async put => {
    const { server, looks, path, deadline, isPartial } = put
    const overloads = chooseTarget(await looks.named(path), question.name, path)
    // The last one is the one with the body.
    const last = overloads.at(-1)
    if (!last) throw new Error('A chosen target is at least one symbol')
    const target = await nodeFor(overloads, last, put)
    const required = requiredOf(parts, deadline, server)
    const overridden = overriddenMethods({ server, looks, mayRead: parts.mayRead })
    const asked = { ...parts, server, looks, required, overridden }
    const { callers: found, isCut } = await findCallers(target, question.depth, asked)
    return {
      target: await declaredTarget(last, path, looks, parts.index),
      callers: found,
      basis: { by: 'server', server: server.name },
      partial:
        isCut || isPartial || [required, overridden].some(each => each.isPartial()) || isUnseenBy(path, last.plain),
    }
  })

async function nodeFor(overloads: readonly Named[], { name }: Named, put: PutQuestion): Promise<CallNode> {
  const { server, path } = put
  const positions = overloads.map(({ selection }) => selection.start)
  const items = server.can('callHierarchy')
    ? (await Promise.all(positions.map(position => server.callItems(path, position)))).flat()
    : []
  return { key: `${path} ${name}`, name, path, items, positions }
}
