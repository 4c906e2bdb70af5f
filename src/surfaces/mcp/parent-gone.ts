/** Calls back once the process that started this one is gone; returns how to stop looking. */
export function onParentGone(gone: () => void, everyMs = 1000): () => void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
