import type { Syntax } from './syntax.ts'

/** Whether the expression is tried in one way at each place, so that its time grows with the text and no faster. */
export function isSteady(syntax: Syntax): boolean {
  return syntax.kind === 'choice' ? syntax.parts.every(isSequence) : isSequence(syntax)
}

function isSequence(syntax: Syntax): boolean {
  return syntax.kind === 'concat' ? syntax.parts.every(isStep) : isStep(syntax)
}

const isStep = (syntax: Syntax): boolean =>
  syntax.kind === 'set' ||
  syntax.kind === 'look' ||
  (syntax.kind === 'repeat' && syntax.min === syntax.max && syntax.part.kind === 'set')
