export { type MockCall, type MockGateway, startMockGateway } from './testing/mock-gateway.ts';
export { type Recording, type ReplayReport, replay } from './testing/replay.ts';
