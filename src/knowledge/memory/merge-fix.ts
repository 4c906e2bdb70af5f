import { USUAL_CONFIDENCE, type Fix, type FixChange, type NewFix } from './fix.ts'

const MOST_ATTEMPTS = 50

/**
 * Returns the change that merges a new analysis into a stored one: the newer words count, attempts add up, the higher
 * confidence stays. A person's verdict on other words does not.
 */
export function mergedChange(known: Fix, fix: NewFix): FixChange {
  const isSame = known.rootCause === fix.rootCause && known.solution === fix.solution
  const attempts = [...(known.attempts ?? []), ...(fix.attempts ?? [])].map(({ tried, failed = '' }) => ({
    tried,
    failed,
  }))
  const distinct = attempts.filter(({ tried }, at) => attempts.findIndex(each => each.tried === tried) === at)
  const isRefuted = known.confidence === 0
  const { errorDescription: _kept, id: _id, createdAt: _at, attempts: _all, confidence, ...given } = fix
  return {
    ...given,
    confidence: Math.max(known.confidence, confidence ?? (isRefuted && !isSame ? USUAL_CONFIDENCE : 0)),
    ...(distinct.length > 0 && { attempts: distinct.slice(-MOST_ATTEMPTS) }),
    ...(!isSame && { userValidated: fix.userValidated ?? false }),
  }
}
