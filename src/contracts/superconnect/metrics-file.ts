/** The metrics file of one component, in the repository. */
export const metricsFile = (component: string): string => `superconnect/${component}/tool-metrics.jsonl`

/** A pattern for all metrics files. */
export const METRICS_FILES = metricsFile('*')
