/** Where the calls of one component are told, in the repository itself. */
export const metricsFile = (component: string): string => `superconnect/${component}/tool-metrics.jsonl`

/** All of these, as a pattern. */
export const METRICS_FILES = metricsFile('*')
