/** Reports whether the work is done within the time. */
export function withinPatience(work: Promise<unknown>, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(resolve, waitMs, false)
  })
  return Promise.race([late, work.then(() => true)]).finally(() => clearTimeout(timer))
}
