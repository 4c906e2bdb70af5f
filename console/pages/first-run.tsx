import { Empty } from '../parts/empty.tsx'

export const FirstRun = () => <Empty title="Nothing is open">Choose a row of the list.</Empty>
