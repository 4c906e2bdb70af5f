import { USUAL_CONFIDENCE, type Fix, type FixChange, type NewFix } from './fix.ts'

const MOST_ATTEMPTS = 50

/**
 * Returns the change that merges a new analysis into a stored one: the newer words count, attempts add up, the higher
 * confidence stays. A person's verdict on other words does not.
 */
export function mergedChange(earlier: Fix, fix: NewFix): FixChange {
  const isSame = earlier.rootCause === fix.rootCause && earlier.solution === fix.solution
  const attempts = [...(earlier.attempts ?? []), ...(fix.attempts ?? [])].map(({ tried, failed = '' }) => ({
    tried,
    failed,
  }))
  const distinct = attempts.filter(({ tried }, at) => attempts.findIndex(each => each.tried === tried) === at)
  const isRefuted = earlier.confidence === 0
  const { errorDescription: _kept, id: _id, createdAt: _at, attempts: _all, confidence, ...fields } = fix
  return {
    ...fields,
    confidence: Math.max(earlier.confidence, confidence ?? (isRefuted && !isSame ? USUAL_CONFIDENCE : 0)),
    ...(distinct.length > 0 && { attempts: distinct.slice(-MOST_ATTEMPTS) }),
    ...(!isSame && { userValidated: fix.userValidated ?? false }),
  }
}
