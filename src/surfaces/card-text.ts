import { renderCard } from '../guards/approval/card.ts'
import { affectedFiles, consequences } from '../guards/approval/consequences.ts'
import type { Card } from '../runtime/questions.ts'

/** Documents have a level of risk on their cards; ours says what could happen. */
const OWN = 'toolwright/'

/** A question as every surface words it, with the diff of what would change; its last line asks for the answer. */
export const cardText = (card: Card): string =>
  renderCard({
    ...card,
    // As its document prints it; which contract it is of stands in what `always` would remember.
    tool: card.tool.slice(card.tool.indexOf('/') + 1),
    always: card.proposal !== undefined,
    files: [...new Set(card.changes.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path])))],
    ...(card.tool.startsWith(OWN) && {
      consequences: consequences(card.claims, card.changes),
      files: affectedFiles(card.claims, card.changes),
    }),
    diff: card.changes.map(change => change.diff()).join(''),
  })
