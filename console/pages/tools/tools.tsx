import { Empty } from '../../parts/empty.tsx'

export const Tools = () => <Empty title="Tools">This page is being built.</Empty>
