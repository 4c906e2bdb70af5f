/** An age as people say it: the two largest units that matter. */
export function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}

/** The clock time today, the date before. */
export function clockOf(iso: string, { withSeconds = false } = {}): string {
  const at = new Date(iso)
  if (at.toDateString() !== new Date().toDateString()) return iso.slice(0, 10)
  return at.toLocaleTimeString('en-GB', withSeconds ? {} : { hour: '2-digit', minute: '2-digit' })
}

export const exactTime = (iso: string): string => iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')

/** How long a call took; a short one is not worth a number. */
export function durationOf(ms: number): string {
  if (ms < 1) return '< 1 ms'
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : ageOf(ms)
}

export const daysUntil = (iso: string, now: number): number => Math.ceil((Date.parse(iso) - now) / 86_400_000)
