/**
 * Reports whether web pages may be served at a port: the two default ones, and any high one not known for something
 * else. A request to a mail server or a database is no page, and its text can be a command there.
 */
export const isWebPort = (port: number): boolean =>
  port === 80 ||
  port === 443 ||
  (port >= 1_024 && !SERVICES.some(([first, last = first]) => port >= first && port <= last))

/** Databases, caches, queues, remote control, mail, chat, windows, the control planes of containers. */
const SERVICES: readonly (readonly [first: number, last?: number])[] = [
  [1080],
  [1433, 1434],
  [1521],
  [1719, 1723],
  [2049],
  [2181],
  [2375, 2380],
  [3128],
  [3306],
  [3389],
  [3659],
  [4045],
  [4190],
  [4369],
  [5060, 5061],
  [5222],
  [5269],
  [5432, 5433],
  [5671, 5672],
  [5900, 5910],
  [5984, 5986],
  [6000, 6063],
  [6379, 6380],
  [6443],
  [6566],
  [6660, 6669],
  [6679],
  [6697],
  [7000, 7001],
  [7199],
  [8086],
  [8500, 8501],
  [9042],
  [9092],
  [9100],
  [9160],
  [9200],
  [9300],
  [10_080],
  [10_250, 10_256],
  [11_211],
  [15_672],
  [26_379],
  [27_017, 27_019],
  [28_015],
  [50_000],
  [61_616],
]
