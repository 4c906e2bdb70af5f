import { renderCard } from '../guards/approval/card.ts'
import type { Card } from '../runtime/questions.ts'

/** A question as every surface words it, with the diff of what would change; its last line asks for the answer. */
export const cardText = (card: Card): string =>
  renderCard({
    ...card,
    // As its document prints it; which contract it is of stands in what `always` would remember.
    tool: card.tool.slice(card.tool.indexOf('/') + 1),
    always: card.proposal !== undefined,
    files: [...new Set(card.changes.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path])))],
    diff: card.changes.map(change => change.diff()).join(''),
  })
