//! The whole router: every noun's routes under /api, the console's files beside them, one gate before all.
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use domain::bulk_actions::Counter;
use object_store::ObjectStore;
use sqlx::PgPool;
use tokio::sync::Semaphore;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_swagger_ui::SwaggerUi;

use crate::browser_errors::Reports;
use crate::config::Config;
use crate::extract::no_query;
use crate::in_flight::InFlight;
use crate::metrics::{Metrics, Pages};
use crate::shared::Shared;
use crate::{
    accept, acts, alerts, banks, browser_errors, bulk_actions, bureaus, cases, claim_types,
    classifiers, console, crons, error, error_groups, feature_flags, gate, health, imports, jobs,
    mail_preferences, mails, operations, operator_actions, pauses, saved_views, selections,
    settings, sign_in, users,
};

/// What handlers share.
#[derive(Clone)]
pub struct App {
    pub pool: PgPool,
    /// Its own pool, so that a busy one never keeps people out; once open it stays, so that a busy database does not either.
    pub auth_pool: PgPool,
    pub store: Arc<dyn ObjectStore>,
    pub config: Arc<Config>,
    /// Passwords that may be hashed at once: each takes 19 MiB and a core.
    pub hashing: Arc<Semaphore>,
    pub metrics: Arc<Metrics>,
    /// The series of the pages, shared for a moment.
    pub pages: Arc<Pages>,
    pub in_flight: Arc<InFlight>,
    /// Counts of bulk actions, shared for a moment.
    pub counter: Arc<Counter>,
    /// Answers that many ask for at once.
    pub shared: Arc<Shared>,
    pub reports: Arc<Reports>,
    /// Set when a stop was asked for.
    pub stopping: Arc<AtomicBool>,
}

impl App {
    /// Makes the pools (connected when first used) and the file store.
    pub fn new(config: Config) -> Result<Self, String> {
        let store =
            domain::files::open(config.files.as_deref(), &config.data_dir, std::env::vars())?;
        Ok(Self {
            pool: domain::db::pool(config.database.clone(), config.pool),
            auth_pool: domain::db::standing_pool(
                config.database.clone().options([("role", "toimik_auth")]),
                (config.pool / 4).max(2),
            ),
            store,
            in_flight: Arc::new(InFlight::new(config.pool)),
            config: Arc::new(config),
            hashing: Arc::new(Semaphore::new(2)),
            metrics: Arc::default(),
            pages: Arc::default(),
            counter: Arc::default(),
            shared: Arc::default(),
            reports: Arc::default(),
            stopping: Arc::default(),
        })
    }
}

#[derive(OpenApi)]
#[openapi(
    info(title = "Toimik", description = "Back office of bailiff offices.", license(name = "Proprietary")),
    servers((url = "/api")),
    components(schemas(error::Problem, error::Violations, error::Message, crate::banks::Direction)),
    modifiers(&Bearer)
)]
struct Document;

struct Bearer;

impl utoipa::Modify for Bearer {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        use utoipa::openapi::security::{
            Http, HttpAuthScheme, SecurityRequirement, SecurityScheme,
        };
        let components = document.components.get_or_insert_default();
        components.add_security_scheme(
            "bearer",
            SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)),
        );
        document.security = Some(vec![SecurityRequirement::new(
            "bearer",
            Vec::<String>::new(),
        )]);
    }
}

/// Every route below /api; a noun adds its own here.
fn api() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Document::openapi())
        .merge(sign_in::routes())
        .merge(imports::routes())
        .merge(users::routes())
        .merge(bureaus::routes())
        .merge(banks::routes())
        .merge(classifiers::routes())
        .merge(cases::routes())
        .merge(claim_types::routes())
        .merge(feature_flags::routes())
        .merge(settings::routes())
        .merge(bulk_actions::routes())
        .merge(operations::routes())
        .merge(pauses::routes())
        .merge(crons::routes())
        .merge(alerts::routes())
        .merge(error_groups::routes())
        .merge(jobs::routes())
        .merge(operator_actions::routes())
        .merge(acts::routes())
        .merge(saved_views::routes())
        .merge(selections::routes())
        .merge(browser_errors::routes())
        .merge(mail_preferences::routes())
        .merge(mails::routes())
}

/// The OpenAPI 3.1 document.
pub fn document() -> utoipa::openapi::OpenApi {
    api().into_openapi()
}

/// The router that is served.
pub fn router(app: App) -> Router {
    let (routes, document) = api().split_for_parts();
    let mut router = Router::new()
        .nest(
            "/api",
            routes
                .route_layer(from_fn_with_state(
                    accept::with_csv(&document),
                    accept::refuse,
                ))
                .route_layer(from_fn_with_state(
                    no_query::bare(&document),
                    no_query::refuse,
                ))
                .fallback(error::unknown_path),
        )
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready));
    if app.config.docs {
        let config = utoipa_swagger_ui::Config::new(["/api/openapi.json"]).validator_url("none");
        router = router.merge(
            SwaggerUi::new("/api/docs")
                .url("/api/openapi.json", document)
                .config(config),
        );
    }
    router
        .fallback_service(console::files(&app.config.console_dir))
        .layer(from_fn_with_state(app.clone(), gate::pass))
        .with_state(app)
}
