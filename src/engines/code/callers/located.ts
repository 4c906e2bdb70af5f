import type { CodeParts } from '../code-parts.ts'
import { rangeKey, type Location, type Position } from '../servers/lsp-words.ts'
import type { CodeQuestion, Located } from '../types.ts'
import { chooseTarget } from './choose-target.ts'
import { mentions } from './mentions.ts'
import { putQuestion, type PutQuestion } from './put-question.ts'

/** Every place where a name is used, imports and exports too. */
export const references = (parts: CodeParts, question: CodeQuestion): Promise<Located> =>
  located(parts, question, async (put, positions) => {
    const found = await mentions(put.path, positions, { ...parts, ...put }, { declarations: true })
    const isOwn = ({ uri, range: { start } }: Location) =>
      put.server.pathOf(uri) === put.path &&
      positions.some(({ line, character }) => line === start.line && character === start.character)
    return found.filter(place => !isOwn(place))
  })

/** Where what a file calls by this name is defined. */
export const definition = (parts: CodeParts, question: CodeQuestion): Promise<Located> =>
  located(parts, question, (put, positions) => allOf(positions, at => put.server.definition(put.path, at)))

/** Whatever implements an interface, a class or one of their methods. */
export const implementations = (parts: CodeParts, question: CodeQuestion): Promise<Located> =>
  located(parts, question, (put, positions) => allOf(positions, at => put.server.implementations(put.path, at)))

const located = (
  parts: CodeParts,
  question: CodeQuestion,
  ask: (put: PutQuestion, positions: readonly Position[]) => Promise<readonly Location[]>,
): Promise<Located> =>
  putQuestion(parts, question, async put => {
    const { server, looks, path, isPartial } = put
    const overloads = chooseTarget(await looks.named(path), question.name, path)
    const found = await ask(
      put,
      overloads.map(({ selection }) => selection.start),
    )
    const places = found.flatMap(({ uri, range: { start } }) => {
      const file = server.pathOf(uri)
      if (file === undefined || !parts.mayRead(file)) return []
      return [
        {
          path: file,
          line: start.line + 1,
          column: start.character + 1,
          text: (looks.lines(file)[start.line] ?? '').trim(),
        },
      ]
    })
    return {
      places: places.toSorted(inOrder),
      basis: { by: 'server', server: server.name },
      partial: isPartial,
    }
  })

async function allOf(
  positions: readonly Position[],
  ask: (at: Position) => Promise<readonly Location[]>,
): Promise<readonly Location[]> {
  const found = (await Promise.all(positions.map(ask))).flat()
  return [...new Map(found.map(place => [`${place.uri} ${rangeKey(place.range)}`, place])).values()]
}

type Place = Located['places'][number]

const inOrder = (one: Place, other: Place): number =>
  (one.path < other.path ? -1 : one.path > other.path ? 1 : 0) || one.line - other.line || one.column - other.column
