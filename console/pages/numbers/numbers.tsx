import { Empty } from '../../parts/empty.tsx'

export const Numbers = () => <Empty title="Numbers">This page is being built.</Empty>
