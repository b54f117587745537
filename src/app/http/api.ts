// What a client of the API needs: the operations, their types, and the events. The console imports types, and the build the paths.
export {
  ROUTES,
  type AnswerOf,
  type ApiError,
  type ApiEvent,
  type BodyOf,
  type ParamsOf,
  type QueryOf,
  type Route,
  type RouteName,
  type Routes,
  type ServerEvent,
} from "./api/routes.ts";
