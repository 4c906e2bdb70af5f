import { leftOut, renderCard } from '../guards/approval/card.ts'
import { affectedFiles, consequences } from '../guards/approval/consequences.ts'
import type { Card } from '../runtime/questions.ts'

/** Cards of the documents show a level of risk; ours say what could happen. */
const OWN = 'toolwright/'

interface CardText {
  /** The last line asks for the answer. */
  readonly text: string
  /** False if it leaves something out; `always` is then not offered. */
  readonly isWhole: boolean
}

/** Formats a question for every surface, with the diff of the change. */
export function cardText(card: Card): CardText {
  const displayCard = {
    ...card,
    // The document's own name of the tool; the text for `always` names its contract.
    tool: card.tool.slice(card.tool.indexOf('/') + 1),
    always: card.proposal !== undefined,
    files: [...new Set(card.changes.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path])))],
    ...(card.tool.startsWith(OWN) && {
      consequences: consequences(card.claims, card.changes),
      files: affectedFiles(card.claims, card.changes),
    }),
    diff: card.changes.map(change => change.diff()).join(''),
  }
  const isWhole = leftOut(displayCard).length === 0
  const seeAll = isWhole ? undefined : seeAllCommand(card)
  return {
    text: renderCard({ ...displayCard, ...(seeAll !== undefined && { seeAll }) }),
    isWhole,
  }
}

/** The command with which a person reads everything that a question is about. */
export const seeAllCommand = ({ whole }: Card): string | undefined => whole && `toolwright read ${whole()}`
