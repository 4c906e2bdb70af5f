/** Where the calls of one component are told, in the repository itself. */
export const metricsFile = (component: string): string => `superconnect/${component}/tool-metrics.jsonl`

/** All of these, as a pattern. */
export const METRICS_FILES = metricsFile('*')

/** Such a file is none of the repository's own. */
export const isMetricsFile = (path: string): boolean => /^superconnect\/[^/]+\/tool-metrics\.jsonl$/.test(path)
