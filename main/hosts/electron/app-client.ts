import type { AppApi, EventName, Input, Method, Output, Payload } from '../../../shared/contract.ts';
import { fromErrorData, type Reply } from '../../../shared/errors.ts';
import type { App } from '../../core/app.ts';

/** Returns the app's API with the contract's types, for calls of the host itself. The app validates its results. */
export function createAppClient(app: App): AppApi {
  return {
    async call<M extends Method>(method: M, input: Input<M>) {
      const reply = (await app.call(method, input)) as Reply<Output<M>>;
      if (!reply.ok) throw fromErrorData(reply.error);
      return reply.value;
    },
    on<E extends EventName>(event: E, listener: (payload: Payload<E>) => void) {
      return app.on((name, payload) => {
        if (name === event) listener(payload as Payload<E>);
      });
    },
  };
}
