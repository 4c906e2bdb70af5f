import { isScriptFile } from '../../../../languages/registry.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { CallNode } from '../call-node.ts'
import type { UseParts } from '../mentions.ts'
import { shownPlaces } from '../places.ts'
import { computedKeys, type KeyPlace } from './computed-keys.ts'
import { keyedScripts } from './keyed-scripts.ts'

/** Says where computed keys of scripts may name a function. */
export async function computedCalls(
  node: CallNode,
  parts: CodeParts & UseParts,
  budget: () => number,
): Promise<readonly string[]> {
  const position = node.positions.at(-1)
  if (!position || !isScriptFile(node.path)) return []
  const { source } = parts.looks
  const { text, offsetOf } = source(node.path)
  const symbol = { path: node.path, name: node.name, text, at: offsetOf(position) }
  const judge = { server: parts.server, mayRead: parts.mayRead, source, until: budget() }
  const keys = await computedKeys(symbol, () => keyedScripts(parts, node.path), judge)
  return toldKeys(keys, ({ path, start }) => ({ path, line: source(path).positionOf(start).line + 1 }))
}

type Shown = Parameters<typeof shownPlaces>[0][number]

export function toldKeys(keys: readonly KeyPlace[], placeOf: (key: KeyPlace) => Shown): readonly string[] {
  const [late, onTime] = [keys.filter(({ isLate }) => isLate), keys.filter(({ isLate }) => !isLate)]
  return [
    ...(onTime.length > 0 ? [`Computed keys may name it: ${shownPlaces(onTime.map(placeOf))}`] : []),
    ...(late.length > 0
      ? [`Computed keys that may name it were not judged in time: ${shownPlaces(late.map(placeOf))}`]
      : []),
  ]
}
