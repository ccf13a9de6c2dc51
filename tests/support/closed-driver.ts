import type { DriverReply, StageDriver } from '../../main/core/ports/stage-driver.ts';

const closed = async (): Promise<DriverReply> => ({ done: false, reason: 'closed', state: null });

/** A driver of a stage that no page shows. */
export const CLOSED_DRIVER: StageDriver = {
  ...{ readState: closed, step: closed, choose: closed, type: closed, setVariable: closed },
  ...{ setPose: closed, toggleTextBox: closed },
  takePicture: async () => null,
};
