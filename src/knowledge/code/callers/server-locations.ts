import { languageAt } from '../../../languages/registry.ts'
import type { CodeParts } from '../code-parts.ts'
import { rangeKey, type Location, type Position } from '../servers/lsp-schemas.ts'
import type { CodeQuestion, Locations } from '../types.ts'
import { requestedTarget } from './choose-target.ts'
import { mentions } from './mentions.ts'
import { inOrder, isSamePosition, placeAt } from './places.ts'
import { askServer, type ServerQuestion } from './ask-server.ts'
import { requiredOf } from './required/required-of.ts'

/** Every use of a name, including imports and exports. */
export const references = (parts: CodeParts, question: CodeQuestion): Promise<Locations> =>
  locationsFor(parts, question, referring(parts), requiredOf)

const referring =
  (parts: CodeParts): Ask =>
  async (put, positions) => {
    const allUses = await mentions(put.path, positions, { ...parts, ...put }, { declarations: true })
    const isOwn = ({ uri, range: { start } }: Location) =>
      put.server.pathOf(uri) === put.path && positions.some(at => isSamePosition(at, start))
    return allUses.filter(place => !isOwn(place))
  }

/** The definition of a name in a file. */
export const definition = (parts: CodeParts, question: CodeQuestion): Promise<Locations> =>
  locationsFor(parts, question, (put, positions) => allOf(positions, at => put.server.definition(put.path, at)))

/** Implementations of an interface, a class or one of their methods. */
export const implementations = (parts: CodeParts, question: CodeQuestion): Promise<Locations> =>
  locationsFor(parts, question, (put, positions) => allOf(positions, at => put.server.implementations(put.path, at)))

type Ask = (put: ServerQuestion, positions: readonly Position[]) => Promise<readonly Location[]>

const locationsFor = (
  parts: CodeParts,
  question: CodeQuestion,
  ask: Ask,
  besides?: typeof requiredOf,
): Promise<Locations> =>
  askServer(parts, question, async put => {
    const { server, looks, path, deadline, isPartial } = put
    const overloads = await requestedTarget(put, question.name)
    const positions = overloads.map(({ selection }) => selection.start)
    const locations = await ask(put, positions)
    const toPlace = (file: string, at: Position) => placeAt(looks.source(file), at)
    const places = locations.flatMap(({ uri, range: { start } }) => {
      const file = server.pathOf(uri)
      return file === undefined || !parts.mayRead(file) ? [] : [toPlace(file, start)]
    })
    const requiredUses = besides?.(parts, deadline, server)
    const more = (await requiredUses?.of(overloads[0]?.name ?? question.name, { path, positions })) ?? []
    const all = [...places, ...more.map(each => toPlace(each.path, each.range.start))]
    return {
      places: inOrder(all),
      basis: { by: 'server', server: server.name },
      partial:
        isPartial ||
        requiredUses?.isPartial() === true ||
        (requiredUses !== undefined && overloads.some(({ plain }) => isUnseenBy(path, plain))),
    }
  })

async function allOf(
  positions: readonly Position[],
  ask: (at: Position) => Promise<readonly Location[]>,
): Promise<readonly Location[]> {
  const locations = (await Promise.all(positions.map(ask))).flat()
  return [...new Map(locations.map(place => [`${place.uri} ${rangeKey(place.range)}`, place])).values()]
}

/** Reports whether the server misses calls of a function: some do not see operators that call a method. */
const isUnseenBy = (path: string, name: string): boolean =>
  languageAt(path).readsClasses === true && languageAt(path).calledImplicitly?.test(name) === true
