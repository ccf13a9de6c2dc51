export { type MockCall, type MockGateway, startMockGateway, type ToldFacts } from './testing/mock-gateway.ts';
export { type Recording, type ReplayReport, replay } from './testing/replay.ts';
