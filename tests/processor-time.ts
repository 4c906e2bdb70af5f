/** The milliseconds that this thread has been on a processor: what others do on a busy machine does not count. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
